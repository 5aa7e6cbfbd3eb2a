/** What only a message that breaks the convention needs: a bundle of its own, which the others load then. */
export { appendAudit } from '../audit/log.ts';
export { explainReport } from '../commit/explain.ts';
export { lintWith } from '../commit/linted-message.ts';
