import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AuditEntry, appendAudit, auditPath, parseAudit, readAudit } from '../../src/audit/log.ts';
import { redact } from '../../src/audit/redaction.ts';

const entry: Omit<AuditEntry, 'time'> = {
  front: 'agent',
  agent: 'claude',
  directory: '/project/project',
  action: 'git push --force origin main',
  verdict: 'deny',
  rules: ['protected-force-push'],
  answer: 'policy',
};

let commonDir: string;
beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'oxide-guard-audit-'));
});

describe('the audit trail', () => {
  it('keeps judgements in order, one a line', () => {
    appendAudit(commonDir, entry, new Date(0));
    appendAudit(commonDir, { ...entry, verdict: 'ask', answer: 'nobody', approval: 'abc123' }, new Date(1000));
    expect(readFileSync(auditPath(commonDir), 'utf8').split('\n')).toHaveLength(3);
    expect(readAudit(commonDir)).toEqual([
      { time: '1970-01-01T00:00:00.000Z', ...entry },
      { time: '1970-01-01T00:00:01.000Z', ...entry, verdict: 'ask', answer: 'nobody', approval: 'abc123' },
    ]);
  });

  it('is bounded, and keeps the newest', () => {
    const action = `git push ${'x'.repeat(1900)}`;
    for (let n = 0; n < 1500; n++) {
      appendAudit(commonDir, { ...entry, action: `${n} ${action}` });
    }
    const directory = join(commonDir, 'oxide-guard');
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024 + 4096);
    expect(readAudit(commonDir).at(-1)?.action).toMatch(/^1499 /);
  });

  it('says nothing when it cannot be written', () => {
    writeFileSync(join(commonDir, 'oxide-guard'), '');
    expect(appendAudit(commonDir, entry)).toBe(false);
    expect(readAudit(commonDir)).toEqual([]);
  });

  it('is read past lines that were cut off', () => {
    appendAudit(commonDir, entry);
    const line = readFileSync(auditPath(commonDir), 'utf8');
    expect(parseAudit(`${line.slice(0, 40)}\n\0\0\nnull\n7\n${line}`)).toHaveLength(1);
  });

  it('survives a rotation that was killed', () => {
    mkdirSync(join(commonDir, 'oxide-guard'));
    writeFileSync(`${auditPath(commonDir)}.lock`, '');
    writeFileSync(auditPath(commonDir), `${'x'.repeat(1024 * 1024)}\n`);
    expect(appendAudit(commonDir, entry)).toBe(true);
    expect(readAudit(commonDir)).toHaveLength(1);
  });
});

it.each([
  ['git push https://ada:s3cret@example.com/x.git main', 'git push https://…@example.com/x.git main'],
  ['git push https://ghp_abcdefghijk@github.com/x main', 'git push https://…@github.com/x main'],
  ['git push git@github.com:ada/x.git main', 'git push git@github.com:ada/x.git main'],
  ['git commit -m "feat: the secret \\"plan\\"" --amend', 'git commit -m … --amend'],
  ["git commit -am'feat: x'", 'git commit -am…'],
  ['git commit --message=feat', 'git commit --message=…'],
  ["git commit -F - <<'EOF'\nfeat: x\n\nsecret\nEOF\ngit push -f", "git commit -F - <<'EOF'\n…\nEOF\ngit push -f"],
  ["curl -H 'Authorization: Bearer abc.def' -X DELETE u", "curl -H 'Authorization: …' -X DELETE u"],
  ['GITHUB_TOKEN=abc git push -f origin main', 'GITHUB_TOKEN=… git push -f origin main'],
  ['git branch -m old new', 'git branch -m … new'],
  ['git push --force origin main', 'git push --force origin main'],
])('a trail does not keep what is nobody else’s business: %s', (text, kept) => {
  expect(redact(text)).toBe(kept);
});
