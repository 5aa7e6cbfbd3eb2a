import { describePart } from './execution.ts';

describePart(1);
