import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { createHostileText } from './hostile-values.ts'

export const bodyEncodings = ['query', 'urlencoded', 'multipart', 'json'] as const
export type BodyEncoding = (typeof bodyEncodings)[number]
/** The kinds of callers. From `expired` on, they have a token that is refused. */
export const callerKinds = ['nobody', 'user', 'subscriber', 'stranger', 'disabled', 'expired', 'signed out', 'malformed'] as const
export type CallerKind = (typeof callerKinds)[number]
const tokenPlaces = ['header', 'query', 'body'] as const

export const hostHeaders = [
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
  caller: CallerKind
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
  'x-unknown': createHostileText(50).map((headerText) =>
    Buffer.from(headerText)
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

export const createCircumstancesArbitrary = (httpMethod: 'GET' | 'POST'): fc.Arbitrary<RequestCircumstances> =>
  fc.record({
    caller: fc.constantFrom(...callerKinds),
    tokenPlace: fc.constantFrom(...tokenPlaces),
    host: fc.constantFrom(...hostHeaders),
    headers: anyConditionalHeaders,
    address: anyIpAddress,
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant(httpMethod) },
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
type FormField = [name: string, value: string]

/** Returns the texts of a field in a form; a list has several. */
const toTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((each) => (typeof each === 'string' ? each : (JSON.stringify(each) ?? '')))

/** Encodes a text as forms do. A lone surrogate becomes its three bytes, such as `%ED%A0%80`, which are not valid UTF-8. */
const percentEncode = (plainText: string): string =>
  plainText
    .split(/(\p{Cs})/u)
    .map((part, index) => (index % 2 === 0 ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('')
const encodeForm = (fields: readonly FormField[]) =>
  fields.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')

function encodeMultipart(fields: readonly FormField[], files: readonly FormFile[]): Buffer {
  const createPartHeader = (rest: string) => `--${MULTIPART_BOUNDARY}\r\ncontent-disposition: form-data; ${rest}\r\n`
  return Buffer.concat([
    ...fields.map(([name, value]) => Buffer.from(`${createPartHeader(`name="${name}"`)}\r\n${value}\r\n`)),
    ...files.flatMap(({ field, name, content }) => [
      Buffer.from(
        `${createPartHeader(`name="${field}"; filename="${name.replace(/["\r\n]/g, '_')}"`)}content-type: application/octet-stream\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${MULTIPART_BOUNDARY}--\r\n`),
  ])
}

/** Returns a request to an endpoint with `endpointInput` in one of the encodings. `callerToken` is undefined if the caller has none. */
export function encodeRequest(
  urlPath: string,
  endpointInput: Record<string, unknown>,
  encoding: BodyEncoding,
  { tokenPlace, host, headers, address, method }: RequestCircumstances,
  callerToken: string | undefined,
  files: readonly FormFile[] = [],
): InjectOptions {
  const givenFields = Object.entries(endpointInput).filter(([, value]) => value !== undefined)
  const isBodyEncoding = method !== 'GET' && method !== 'HEAD' && encoding !== 'query'
  const usedTokenPlace = tokenPlace === 'body' && !isBodyEncoding ? 'query' : tokenPlace
  const createTokenFields = (here: string): FormField[] =>
    callerToken !== undefined && usedTokenPlace === here ? [['firebase_auth_token', callerToken]] : []
  const formFields = givenFields.flatMap(([name, value]) => toTexts(value).map((text): FormField => [name, text]))
  const queryText = encodeForm([...(isBodyEncoding ? [] : formFields), ...createTokenFields('query')])
  const bodyFields = [...formFields, ...createTokenFields('body')]
  const body = {
    query: {},
    json: {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(Object.fromEntries([...givenFields, ...createTokenFields('body')])),
    },
    urlencoded: { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: encodeForm(bodyFields) },
    multipart: {
      headers: { 'content-type': `multipart/form-data; boundary=${MULTIPART_BOUNDARY}` },
      payload: encodeMultipart(bodyFields, files),
    },
  }[isBodyEncoding ? encoding : 'query']
  return {
    method,
    url: `${urlPath}${queryText === '' ? '' : `?${queryText}`}`,
    remoteAddress: address,
    ...body,
    headers: {
      ...('headers' in body ? body.headers : {}),
      ...headers,
      host,
      ...(callerToken !== undefined && usedTokenPlace === 'header' && { authorization: `Bearer ${callerToken}` }),
    },
  }
}
