/** The URL of an API server, as Go's client reads it. */
export interface ServerUrl {
  /** Scheme, host, port and base path, without a slash at its end. */
  readonly url: string;
  /** The host's name or address as it was written, in its own case and without brackets. */
  readonly host: string;
  /** The port, or the scheme's default. */
  readonly port: string;
  /** The header `authorization` of the user in the URL. */
  readonly authorization: string | undefined;
  /** Whether it is only scheme, host, port and path, as an option of a program should be. */
  readonly isPlain: boolean;
}

/** The parts of a URL; `rest` is query or fragment, which are left out. */
function partsOf(text: string) {
  const [, before = '', rest = ''] = /^([^?#]*)(.*)$/su.exec(text) ?? [];
  const [, scheme = '', authority = '', path = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?\/\/([^/]*)(.*)$/s.exec(before) ?? [];
  return { scheme: scheme.toLowerCase(), authority, path, rest };
}

/** A text of which each character is a byte of UTF-8, with percent signs resolved; undefined when one escapes nothing. */
function bytesOf(text: string): string | undefined {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  if (/%(?![0-9a-f]{2})/i.test(bytes)) return undefined;
  return bytes.replace(/%(..)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** A path without `.`, `..` and empty segments, escaped as Go does. */
function cleaned(bytes: string): string {
  const segments: string[] = [];
  for (const part of bytes.split('/')) {
    if (part === '..') segments.pop();
    else if (part !== '' && part !== '.') segments.push(part);
  }
  const escaped = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return segments.map((part) => `/${part.replace(/[^A-Za-z0-9\-_.~$&+,:;=@]/g, escaped)}`).join('');
}

/** Where a server or proxy is, and who asks there. */
interface Authority extends Pick<ServerUrl, 'authorization' | 'port'> {
  /** As it was written, with brackets. */
  readonly host: string;
}

/** The authority of a URL as Go reads it; undefined when it is none, or when a browser would make another address of its host. */
export function authorityOf(text: string): Authority | undefined {
  const at = text.lastIndexOf('@');
  const info = text.slice(0, Math.max(at, 0));
  const user = bytesOf(info.includes(':') ? info : `${info}:`);
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[\w\-.~!$&'()*+,;=<>"\u0080-\uffff]*)(?::([0-9]*))?$/.exec(text.slice(at + 1)) ?? [];
  if (host === '' || !/^[\w\-.:~!$&'()*+,;=%@]*$/.test(info) || user === undefined) return undefined;
  const origin = `http://${host}${port === '' ? '' : `:${port}`}`;
  if (!URL.canParse(origin)) return undefined;
  // Here 127.1, 0x7f000001 and `127.0.0.1.` are names, which nobody has.
  const { hostname } = new URL(origin);
  if (/^[\d.]+$/.test(hostname) && hostname !== host) return undefined;
  return { authorization: at < 0 ? undefined : `Basic ${btoa(user)}`, host, port };
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Reads the URL of an API server; undefined when it is none.
 *
 * Without a scheme it is plain HTTP, and must have no path. Query and fragment are left out.
 *
 * @see client-go's `rest.DefaultServerURL`, and Go's `url.Parse`
 */
export function serverUrl(text: string): ServerUrl | undefined {
  // eslint-disable-next-line no-control-regex -- they are what is searched
  if (/[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const given = partsOf(text);
  const hasScheme = given.scheme !== '' && given.authority !== '';
  const { scheme, authority, path, rest } = hasScheme ? given : partsOf(`http://${text}`);
  if (!hasScheme && path !== '' && path !== '/') return undefined;
  const found = authorityOf(authority);
  const base = bytesOf(path);
  const usual = defaultPorts[scheme];
  if (usual === undefined || found === undefined || base === undefined) return undefined;
  const { host, port, authorization } = found;
  return {
    url: `${scheme}://${host}${port === '' ? '' : `:${port}`}${cleaned(base)}`,
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : port,
    authorization,
    isPlain: hasScheme && authorization === undefined && rest === '',
  };
}
