/** What a field holds on the wire: a whole number, or bytes (a string, a message). */
export type Field = number | string | Uint8Array;

const varint = 0;
const sized = 2;

/**
 * A protobuf message out of its fields: just the two wire types that the loopback servers need.
 *
 * @param fields by number
 */
export function encodeMessage(fields: Readonly<Record<number, Field>>): Buffer {
  const parts = Object.entries(fields).flatMap(([number, value]) => {
    if (typeof value === 'number') {
      return [encodeVarint(Number(number) * 8 + varint), encodeVarint(value)];
    }
    const bytes = Buffer.from(value);
    return [encodeVarint(Number(number) * 8 + sized), encodeVarint(bytes.length), bytes];
  });
  return Buffer.concat(parts);
}

/**
 * The fields of a message that hold bytes, by number; of a repeated one the last. Numbers are passed over.
 *
 * @throws RangeError when the bytes are no such message
 */
export function decodeMessage(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let position = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(position);
      position += 1;
      value += (byte % 128) * factor;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (position < bytes.length) {
    const tag = next();
    const type = tag % 8;
    if (type === varint) {
      next();
    } else if (type === sized) {
      const length = next();
      fields.set((tag - type) / 8, bytes.subarray(position, position + length));
      position += length;
    } else {
      // Fixed numbers: eight bytes, or four.
      position += type === 1 ? 8 : 4;
    }
  }
  return fields;
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
