import { notInPages } from '../../api/notInPages.js';

/** Pages do not trace. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- replaces a class
export class InformerTrace {
  constructor() {
    notInPages('`trace`');
  }
}
