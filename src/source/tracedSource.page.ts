import { notInPages } from '../api/notInPages.js';

export const guardTrace = (): never => notInPages('`trace`');

export const tracedSource = (): never => notInPages('`trace`');
