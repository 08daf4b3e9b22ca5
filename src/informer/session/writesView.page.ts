import { notInPages } from '../../api/notInPages.js';

export const createWritesView = (): undefined => undefined;

export const ownWritesOf = (): never => notInPages('`readYourWrites`');
