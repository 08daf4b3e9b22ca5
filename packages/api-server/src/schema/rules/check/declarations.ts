import { parseType, typeNamed, type CelType } from './celType.js';

/** One form of a function. */
export interface Overload {
  readonly isMember: boolean;
  /** With the receiver first. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const formats =
  'dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date datetime';

function forEach(types: readonly string[], form: (type: string) => string): string {
  return types.map(form).join(' ');
}

const compared =
  '(bool,bool)bool (int,int)bool (int,double)bool (int,uint)bool (uint,uint)bool (uint,double)bool (uint,int)bool (double,double)bool (double,int)bool ' +
  '(double,uint)bool (string,string)bool (bytes,bytes)bool (timestamp,timestamp)bool (duration,duration)bool';
const sized = ['bytes', 'list(A)', 'map(A,B)', 'string'];

/** The functions of Kubernetes 1.36: a name and its overloads. The type before a colon is that of the receiver. */
const functions: Readonly<Record<string, string>> = {
  '_?_:_': '(bool,A,A)A',
  '_&&_': '(bool,bool)bool',
  '_||_': '(bool,bool)bool',
  '!_': '(bool)bool',
  '@not_strictly_false': '(bool)bool',
  '_==_': '(A,A)bool',
  '_!=_': '(A,A)bool',
  '_+_':
    '(bytes,bytes)bytes (double,double)double (duration,duration)duration (duration,timestamp)timestamp (timestamp,duration)timestamp (int,int)int ' +
    '(list(A),list(A))list(A) (string,string)string (uint,uint)uint',
  '_-_':
    '(double,double)double (duration,duration)duration (int,int)int (timestamp,duration)timestamp (timestamp,timestamp)duration (uint,uint)uint',
  '_*_': '(double,double)double (int,int)int (uint,uint)uint',
  '_/_': '(double,double)double (int,int)int (uint,uint)uint',
  '_%_': '(int,int)int (uint,uint)uint',
  '-_': '(double)double (int)int',
  ...Object.fromEntries(['_<_', '_<=_', '_>_', '_>=_'].map((name) => [name, compared])),
  '_[_]': '(list(A),int)A (map(A,B),A)B (optional(list(A)),int)optional(A) (optional(map(A,B)),A)optional(B)',
  '_[?_]': '(list(A),int)optional(A) (optional(list(A)),int)optional(A) (map(A,B),A)optional(B) (optional(map(A,B)),A)optional(B)',
  '@in': '(A,list(A))bool (A,map(A,B))bool',
  size: forEach(sized, (type) => `(${type})int ${type}:()int`),
  type: '(A)type(A)',
  bool: '(bool)bool (string)bool',
  bytes: '(bytes)bytes (string)bytes',
  double: '(double)double (int)double (string)double (uint)double',
  duration: '(duration)duration (int)duration (string)duration',
  dyn: '(A)dyn',
  int: '(int)int (double)int (duration)int (string)int (timestamp)int (uint)int',
  string:
    '(string)string (bool)string (bytes)string (double)string (duration)string (int)string (timestamp)string (uint)string (IP)string (CIDR)string',
  timestamp: '(timestamp)timestamp (int)timestamp (string)timestamp',
  uint: '(uint)uint (double)uint (int)uint (string)uint',
  contains: 'string:(string)bool',
  endsWith: 'string:(string)bool',
  startsWith: 'string:(string)bool',
  matches: '(string,string)bool string:(string)bool',
  ...Object.fromEntries(
    ['FullYear', 'Month', 'DayOfYear', 'DayOfMonth', 'Date', 'DayOfWeek', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'].map((part, at) => [
      `get${part}`,
      `timestamp:()int timestamp:(string)int${at > 5 ? ' duration:()int' : ''}`,
    ]),
  ),
  url: '(string)URL',
  isURL: '(string)bool',
  ...Object.fromEntries(['Scheme', 'Host', 'Hostname', 'Port', 'EscapedPath'].map((part) => [`get${part}`, 'URL:()string'])),
  getQuery: 'URL:()map(string,list(string))',
  find: 'string:(string)string',
  findAll: 'string:(string)list(string) string:(string,int)list(string)',
  isSorted: forEach(comparable, (type) => `list(${type}):()bool`),
  sum: forEach(['int', 'uint', 'double', 'duration'], (type) => `list(${type}):()${type}`),
  max: forEach(comparable, (type) => `list(${type}):()${type}`),
  min: forEach(comparable, (type) => `list(${type}):()${type}`),
  indexOf: 'list(A):(A)int string:(string)int string:(string,int)int',
  lastIndexOf: 'list(A):(A)int string:(string)int string:(string,int)int',
  path: 'Authorizer:(string)PathCheck',
  group: 'Authorizer:(string)GroupCheck',
  serviceAccount: 'Authorizer:(string,string)Authorizer',
  resource: 'GroupCheck:(string)ResourceCheck',
  ...Object.fromEntries(
    ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map((part) => [part, 'ResourceCheck:(string)ResourceCheck']),
  ),
  check: 'PathCheck:(string)Decision ResourceCheck:(string)Decision',
  errored: 'Decision:()bool',
  error: 'Decision:()string',
  allowed: 'Decision:()bool',
  reason: 'Decision:()string',
  'optional.of': '(A)optional(A)',
  'optional.ofNonZeroValue': '(A)optional(A)',
  'optional.none': '()optional(A)',
  'optional.unwrap': '(list(optional(A)))list(A)',
  unwrapOpt: 'list(optional(A)):()list(A)',
  value: 'optional(A):()A',
  hasValue: 'optional(A):()bool',
  or: 'optional(A):(optional(A))optional(A)',
  orValue: 'optional(A):(A)A',
  first: 'list(A):()optional(A)',
  last: 'list(A):()optional(A)',
  quantity: '(string)Quantity',
  isQuantity: '(string)bool',
  sign: '(Quantity)int',
  isGreaterThan: 'Quantity:(Quantity)bool Semver:(Semver)bool',
  isLessThan: 'Quantity:(Quantity)bool Semver:(Semver)bool',
  compareTo: 'Quantity:(Quantity)int Semver:(Semver)int',
  asApproximateFloat: 'Quantity:()double',
  asInteger: 'Quantity:()int',
  isInteger: 'Quantity:()bool',
  add: 'Quantity:(Quantity)Quantity Quantity:(int)Quantity',
  sub: 'Quantity:(Quantity)Quantity Quantity:(int)Quantity',
  charAt: 'string:(int)string',
  lowerAscii: 'string:()string',
  upperAscii: 'string:()string',
  trim: 'string:()string',
  replace: 'string:(string,string)string string:(string,string,int)string',
  split: 'string:(string)list(string) string:(string,int)list(string)',
  substring: 'string:(int)string string:(int,int)string',
  format: 'string:(list(dyn))string',
  'strings.quote': '(string)string',
  join: 'list(string):()string list(string):(string)string',
  ...Object.fromEntries(['contains', 'equivalent', 'intersects'].map((name) => [`sets.${name}`, '(list(A),list(A))bool'])),
  ip: '(string)IP CIDR:()IP',
  'ip.isCanonical': '(string)bool',
  family: 'IP:()int',
  ...Object.fromEntries(
    ['Unspecified', 'Loopback', 'LinkLocalMulticast', 'LinkLocalUnicast', 'GlobalUnicast'].map((name) => [`is${name}`, 'IP:()bool']),
  ),
  isIP: '(string)bool',
  cidr: '(string)CIDR',
  containsIP: 'CIDR:(string)bool CIDR:(IP)bool',
  containsCIDR: 'CIDR:(string)bool CIDR:(CIDR)bool',
  prefixLength: 'CIDR:()int',
  masked: 'CIDR:()CIDR',
  isCIDR: '(string)bool',
  ...Object.fromEntries(formats.split(' ').map((name) => [`format.${name}`, '()Format'])),
  'format.named': '(string)optional(Format)',
  validate: 'Format:(string)optional(list(string))',
  'cel.@mapInsert': '(map(A,B),A,B)map(A,B) (map(A,B),map(A,B))map(A,B)',
  semver: '(string)Semver (string,bool)Semver',
  isSemver: '(string)bool (string,bool)bool',
  ...Object.fromEntries(['major', 'minor', 'patch'].map((name) => [name, 'Semver:()int'])),
  slice: 'list(A):(int,int)list(A)',
  flatten: 'list(list(A)):()list(A) list(dyn):(int)list(dyn)',
  sort: forEach(comparable, (type) => `list(${type}):()list(${type})`),
  '@sortByAssociatedKeys': forEach(comparable, (type) => `list(A):(list(${type}))list(A)`),
  'lists.range': '(int)list(int)',
  reverse: 'list(A):()list(A)',
  distinct: 'list(A):()list(A)',
  'jsonpatch.escapeKey': '(string)string',
};

function parseOverload(form: string): Overload {
  const [, receiver, parameters = '', result = ''] = /^(?:(.*?):)?\((.*?)\)([\w.]+(?:\(.*\))?)$/.exec(form) ?? [];
  const { of } = parameters === '' ? typeNamed('') : parseType(`f(${parameters})`);
  return {
    isMember: receiver !== undefined,
    parameters: receiver === undefined ? of : [parseType(receiver), ...of],
    result: parseType(result),
  };
}

const parsed = new Map<string, readonly Overload[] | undefined>();

/** The forms of a function; undefined when there is none of that name. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  if (!parsed.has(name)) parsed.set(name, Object.hasOwn(functions, name) ? functions[name]?.split(' ').map(parseOverload) : undefined);
  return parsed.get(name);
}

const types: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['bool', 'bytes', 'double', 'int', 'string', 'uint', 'dyn', 'null_type', 'type'].map((name) => [name, name])),
  list: 'list(dyn)',
  map: 'map(dyn,dyn)',
  optional_type: 'optional(dyn)',
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
  'net.IP': 'IP',
  'net.CIDR': 'CIDR',
  'kubernetes.Quantity': 'Quantity',
  'kubernetes.URL': 'URL',
  'kubernetes.Semver': 'Semver',
};

/** The type of an identifier that names a type. */
export function typeOfType(name: string): CelType | undefined {
  return Object.hasOwn(types, name) ? typeNamed('type', [parseType(types[name] ?? '')]) : undefined;
}
