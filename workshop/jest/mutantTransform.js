import swc from '@swc/jest';

const { file, from, to } = JSON.parse(process.env.MUTANT);
const changed = (source, path) => (path.endsWith(`/${file}`) ? source.replace(from, () => to) : source);

/** Compiles sources as they are after one change: workshop/tools/teeth.ts. */
export default {
  createTransformer: (options) => {
    const transformer = swc.createTransformer(options);
    return {
      ...transformer,
      process: (source, path, details) => transformer.process(changed(source, path), path, details),
      getCacheKey: (source, path, details) => transformer.getCacheKey(changed(source, path), path, details),
    };
  },
};
