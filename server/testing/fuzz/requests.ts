import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { hostileText } from './hostile-values.ts'

export const encodings = ['query', 'urlencoded', 'multipart', 'json'] as const
export type Encoding = (typeof encodings)[number]
/** The kinds of callers. From `expired` on, they have a token that is refused. */
export const callers = ['nobody', 'user', 'subscriber', 'stranger', 'disabled', 'expired', 'signed out', 'malformed'] as const
export type Caller = (typeof callers)[number]
const tokenPlaces = ['header', 'query', 'body'] as const

export const hosts = [
  'localhost:8080',
  'slowedreverb.localhost:8080',
  'fm.localhost:8080',
  'fm.slowedreverb.localhost:8080',
  'www.localhost',
  'subscriber.localhost:8080',
  'aria.slowedreverb.localhost:8080',
  'nobody.localhost:8080',
  '127.0.0.1:8080',
  'unknown.example',
  '',
  `${'a'.repeat(300)}.localhost`,
  'a..b:99999999',
  'localhost:8080, evil.example',
] as const

/** The circumstances of a request: everything besides its input. */
export interface RequestCircumstances {
  caller: Caller
  tokenPlace: (typeof tokenPlaces)[number]
  host: string
  headers: Record<string, string>
  address: string
  method: 'GET' | 'POST' | 'HEAD' | 'PUT'
}

const headerValues = {
  'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"', ',,,', '"'.repeat(2000)),
  'if-modified-since': fc.constantFrom('Thu, 01 Jan 2026 00:00:00 GMT', 'never'),
  range: fc.constantFrom('bytes=0-0', 'bytes=5-1,-1', 'items=0'),
  'accept-encoding': fc.constantFrom('gzip', 'gzip;q=0, br', '*', 'x'.repeat(2000)),
  accept: fc.constantFrom('image/webp', 'text/html', '*/*;q=', 'application/json'),
  origin: fc.constantFrom('null', 'https://evil.example', 'http://localhost:8080'),
  cookie: fc.constantFrom('discord_link=x', '__Host-discord_link=;;;=', 'a'.repeat(2000)),
  'user-agent': fc.constantFrom('Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko)', '() { :;}; x'),
  'x-forwarded-for': fc.constantFrom('127.0.0.1', '::1, 1.2.3.4', 'unknown'),
  'x-forwarded-host': fc.constantFrom('evil.example'),
  'x-unknown': hostileText(50).map((text) =>
    Buffer.from(text)
      .toString('latin1')
      .replace(/[^\x20-\x7e]/g, '?'),
  ),
}
const anyConditionalHeaders = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record(headerValues, { requiredKeys: [] }) },
) as fc.Arbitrary<Record<string, string>>

/** Many IP addresses, including IPv6, so that the limits for one address do not prevent reaching the code behind them. */
const anyIpAddress = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 250 }), fc.nat(255), fc.nat(255)).map(([a, b, c]) => `10.${a}.${b}.${c}`),
  fc.nat(0xffff).map((network) => `2001:db8:${network.toString(16)}::1`),
)

export const requestCircumstances = (method: 'GET' | 'POST'): fc.Arbitrary<RequestCircumstances> =>
  fc.record({
    caller: fc.constantFrom(...callers),
    tokenPlace: fc.constantFrom(...tokenPlaces),
    host: fc.constantFrom(...hosts),
    headers: anyConditionalHeaders,
    address: anyIpAddress,
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD' as const, 'PUT' as const) },
    ),
  })

/** A file in a multipart body. */
export interface FormFile {
  field: string
  name: string
  content: Buffer
}

const MULTIPART_BOUNDARY = 'fuzz-boundary'
type Field = [name: string, value: string]

/** Returns the texts of a field in a form; a list has several. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((each) => (typeof each === 'string' ? each : (JSON.stringify(each) ?? '')))

/** Encodes a text as forms do. A lone surrogate becomes its three bytes, such as `%ED%A0%80`, which are not valid UTF-8. */
const percentEncode = (text: string): string =>
  text
    .split(/(\p{Cs})/u)
    .map((part, index) => (index % 2 === 0 ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('')
const formOf = (fields: readonly Field[]) => fields.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')

function multipartOf(fields: readonly Field[], files: readonly FormFile[]): Buffer {
  const partHeader = (rest: string) => `--${MULTIPART_BOUNDARY}\r\ncontent-disposition: form-data; ${rest}\r\n`
  return Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${partHeader(`name="${name}"`)}\r\n${value}\r\n`)),
    ...files.flatMap(({ field, name, content }) => [
      Buffer.from(
        `${partHeader(`name="${field}"; filename="${name.replace(/["\r\n]/g, '_')}"`)}content-type: application/octet-stream\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${MULTIPART_BOUNDARY}--\r\n`),
  ])
}

/** Returns a request to an endpoint with `input` in one of the encodings. `token` is the caller's token, if there is one. */
export function encodeRequest(
  urlPath: string,
  input: Record<string, unknown>,
  encoding: Encoding,
  { tokenPlace, host, headers, address, method }: RequestCircumstances,
  token: string | undefined,
  files: readonly FormFile[] = [],
): InjectOptions {
  const givenFields = Object.entries(input).filter(([, value]) => value !== undefined)
  const isBody = method !== 'GET' && method !== 'HEAD' && encoding !== 'query'
  const givenPlace = tokenPlace === 'body' && !isBody ? 'query' : tokenPlace
  const tokenFields = (here: string): Field[] => (token !== undefined && givenPlace === here ? [['firebase_auth_token', token]] : [])
  const fields = givenFields.flatMap(([name, value]) => textsOf(value).map((text): Field => [name, text]))
  const query = formOf([...(isBody ? [] : fields), ...tokenFields('query')])
  const bodyFields = [...fields, ...tokenFields('body')]
  const body = {
    query: {},
    json: {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(Object.fromEntries([...givenFields, ...tokenFields('body')])),
    },
    urlencoded: { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: formOf(bodyFields) },
    multipart: {
      headers: { 'content-type': `multipart/form-data; boundary=${MULTIPART_BOUNDARY}` },
      payload: multipartOf(bodyFields, files),
    },
  }[isBody ? encoding : 'query']
  return {
    method,
    url: `${urlPath}${query === '' ? '' : `?${query}`}`,
    remoteAddress: address,
    ...body,
    headers: {
      ...('headers' in body ? body.headers : {}),
      ...headers,
      host,
      ...(token !== undefined && givenPlace === 'header' && { authorization: `Bearer ${token}` }),
    },
  }
}
