/** The URL of an API server, as Go's client reads it. */
export interface ServerUrl {
  /** Scheme, host, port and base path, without a slash at its end. */
  readonly url: string;
  /** The host's name or address as it was written, in its own case and without brackets. */
  readonly host: string;
  /** The port, or the scheme's default. */
  readonly port: string;
  /** User and password of the URL. */
  readonly user: { readonly name: string; readonly password: string } | undefined;
  /** Whether it is only scheme, host, port and path, as an option of a program should be. */
  readonly isPlain: boolean;
}

interface Parts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Query or fragment, which are left out. */
  readonly rest: string;
}

function partsOf(text: string): Parts {
  const [, before = '', rest = ''] = /^([^?#]*)(.*)$/su.exec(text) ?? [];
  const [, scheme = '', authority = '', path = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?\/\/([^/]*)(.*)$/s.exec(before) ?? [];
  return { scheme: scheme.toLowerCase(), authority, path, rest };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Escapes a segment of a path as Go does. */
function segment(text: string): string {
  return encodeURIComponent(text)
    .replace(/%(24|26|2B|2C|3A|3B|3D|40)/g, (code) => decodeURIComponent(code))
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A path without `.`, `..` and empty segments, escaped anew. */
function cleaned(path: string): string {
  const segments: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') segments.pop();
    else if (part !== '' && part !== '.') segments.push(part);
  }
  return segments.map((part) => `/${segment(part)}`).join('');
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
  const at = authority.lastIndexOf('@');
  const [name, ...password] = authority.slice(0, Math.max(at, 0)).split(':').map(decoded);
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:\s[\]]*)(?::([0-9]*))?$/.exec(authority.slice(at + 1)) ?? [];
  const base = decoded(path);
  const origin = `${scheme}://${host}${port === '' ? '' : `:${port}`}`;
  if (defaultPorts[scheme] === undefined || host === '' || base === undefined || name === undefined) return undefined;
  if (password.includes(undefined) || !URL.canParse(origin)) return undefined;
  return {
    url: origin + cleaned(base),
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? (defaultPorts[scheme] ?? '') : port,
    user: at < 0 ? undefined : { name, password: password.join(':') },
    isPlain: hasScheme && at < 0 && rest === '',
  };
}
