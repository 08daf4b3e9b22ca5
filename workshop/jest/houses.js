const packages = ['views', 'controller', 'relay', 'inspector', 'api-server', 'cli'];

/** Where specs live, by the name of their house. */
export const everyDay = {
  root: 'spec',
  ...Object.fromEntries(packages.map((name) => [name, `packages/${name}/spec`])),
  workshop: 'workshop/spec',
};

/** Of the packages as built, of other programs and runtimes, or of what only the workshop installs: each is run by its own command. */
export const apart = {
  built: 'spec/built',
  e2e: 'spec/e2e',
  real: 'workshop/spec/real',
  peers: 'workshop/spec/peers',
  runtimes: 'workshop/spec/runtimes',
  installed: 'workshop/spec/installed',
};
