import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/config/rules.ts';
import { judgedMisses } from './judging.ts';
import { ofThisPart, type Row, readRows } from './rows.ts';
import { StateTemplates } from './states/build.ts';

const root = mkdtempSync(join(tmpdir(), 'corpus-wrapped-'));
const templates = new StateTemplates(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

/** Ways to have a line run that change nothing of what it does. */
const wrappings: readonly ((line: string) => string)[] = [
  (line) => `cd . && ${line}`,
  (line) => `{\n${line}\n} 2>&1 | tee ../log`,
  (line) => `if ! {\n${line}\n}; then :; fi`,
  (line) => `while :; do\n${line}\nbreak\ndone`,
  (line) => `case x in\nx)\n${line}\n;;\nesac`,
  (line) => `for once in 1; do\n${line}\ndone`,
  (line) => `own_step() {\n${line}\n}\nown_step`,
  (line) => `false || {\n${line}\n}`,
  (line) => `X=$(\n${line}\n)`,
  (line) => `trap ${single(line)} EXIT`,
  (line) => `coproc own_step {\n${line}\n}\nwait`,
  (line) => `bash -c ${single(line)}`,
  (line) => `timeout 60 bash -c ${single(line)}`,
  (line) => `STEP=${single(line)}; eval "$STEP"`,
  (line) => `eval "$(cat <<'END_OF_STEP'\n${line}\nEND_OF_STEP\n)"`,
  (line) => `source /dev/stdin <<'END_OF_STEP'\n${line}\nEND_OF_STEP`,
  (line) => `. <(echo ${single(line)})`,
  (line) => `cat > ../step.sh <<'END_OF_STEP'\n${line}\nEND_OF_STEP\nbash ../step.sh`,
  (line) => `printf '#!/usr/bin/env bash\\n%s\\n' ${single(line)} > ../step && chmod +x ../step && ../step`,
  (line) => `run_step() { echo "+ $*"; "$@"; }\nrun_step bash -c ${single(line)}`,
  (line) => `for try in 1 2 3; do\n{\n${line}\n} && break\nsleep 1\ndone`,
  (line) => `tmux new-session -d ${single(line)}`,
  (line) => `eval "$(echo ${inBase64(line)} | base64 --decode)"`,
];

const strength: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

/** The rows, each in one of the wrappings, one after the other. */
const wrapped = ofThisPart(readRows().filter((row) => row.open === undefined && row.verdict !== 'allow')).map(
  (row, index): Row => ({ ...row, command: wrappings[index % wrappings.length]?.(row.command) ?? row.command }),
);

describe('a stopped command is stopped as strongly within another one', () => {
  for (const subject of new Set(wrapped.map((row) => row.subject))) {
    it(subject, async () => {
      const misses = await judgedMisses(
        wrapped.filter((row) => row.subject === subject),
        templates,
      );
      const weaker = misses.filter(({ row, judgement }) => strength[judgement.verdict] < strength[row.verdict]);
      expect(weaker.map(({ row, got }) => `${row.line} in ${row.state}: ${row.command} → ${got}`)).toEqual([]);
    }, 900_000);
  }
});
