import type { PipelineNode } from 'unbash';

/** Does `set -e` let it fail (bash(1))? What failed inside of a compound command has ended the shell there, or may fail. */
export function mayFail(node: PipelineNode): boolean {
  switch (node.type) {
    case 'Pipeline': {
      const [first, ...others] = node.commands;
      const isNegated = node.prefixes.some((prefix) => prefix.type === 'Negation');
      return isNegated || (first !== undefined && others.length === 0 && mayFail(first));
    }
    case 'Redirected':
      return mayFail(node.command);
    case 'BraceGroup':
    case 'If':
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
    case 'While':
    case 'Case':
      return true;
    default:
      return false;
  }
}
