import { describeCorpus, describePart } from './execution.ts';

describeCorpus();
describePart(0);
