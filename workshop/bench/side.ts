// One side of a comparison, in a process of its own: node --expose-gc side.js <file in sides/> <options as JSON>
const [, , side = '', options = '{}'] = process.argv;
const { run } = (await import(`./sides/${side}.js`)) as { run: (options: unknown) => Promise<object> };
const figures = await run(JSON.parse(options));
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
