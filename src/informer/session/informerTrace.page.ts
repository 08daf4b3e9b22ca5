import { notInPages } from '../../api/notInPages.js';

/** Pages have no trace. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- it stands in the place of one
export class InformerTrace {
  constructor() {
    notInPages('`trace`');
  }
}
