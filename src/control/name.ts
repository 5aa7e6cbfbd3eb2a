import { z } from 'zod';

/**
 * A name that a person gives to something: one line without control characters, and without those that can't be seen
 * or turn the text around them (Unicode's category Cf; what joins emoji stays). The same letters are the same name,
 * however they are composed.
 */
export const nameSchema = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1)
  .max(100)
  .regex(
    /^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u200d(?=\p{Extended_Pictographic}))+$/u,
    'must be one line of characters that can be seen',
  );
