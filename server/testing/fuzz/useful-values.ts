import fc from 'fast-check'
import sharp from 'sharp'
import Type, { type TSchema } from 'typebox'
import { socialFields } from '../../../contract/website-rules.ts'
import { anyVideoText, hostileUnits } from './hostile-values.ts'
import type { UsefulValues } from './input-branches.ts'
import type { FormFile } from './requests.ts'
import { CONVERSION_ID, OWN_PLAYLIST_ID } from './world.ts'

const anyMailAddress = fc.constantFrom('visitor@mail.example', 'V\u00efsitor@m\u00e4il.example', 'a@b')
const anyYoutubeUrl = fc.constantFrom(
  'https://www.youtube.com/@somebody',
  'https://youtu.be/AAAAAAAAAA1',
  'https://m.youtube.com/channel/UC0',
)
const anyWebUrl = fc.constantFrom('', 'https://site.example/a?b#c', 'https://site.example/\u202etxt')

/** Values that pass the validation, and so reach the code behind it. */
export const usefulValues: UsefulValues = {
  s: anyVideoText,
  not: anyVideoText,
  p: fc.constantFrom('night-drive', 'nightcore', 'rock', 'favorite', 'empty', 'new', 'unknown'),
  domain: fc.constantFrom('localhost', 'fm.slowedreverb.localhost', 'aria.localhost', 'nobody.localhost', 'a..b'),
  domain_name: fc.constantFrom('subscriber', 'night-owl', 'stranger', 'aria', 'Aria', 'www'),
  name: fc.constantFrom('Night Owl', hostileUnits.markup, hostileUnits.bidi),
  limit: fc.constantFrom(1, 5, 20),
  offset: fc.constantFrom(0, 1, 1000),
  email: anyMailAddress,
  form_mail: anyMailAddress,
  links: fc.constantFrom([], [{ title: 'Shop', url: 'shop.example/a' }]),
  l: fc.oneof(fc.constant(OWN_PLAYLIST_ID), fc.uuid()),
  ids: fc.constantFrom([], ['AAAAAAAAAA1', 'ZZZZZZZZZZZ'], ['x']),
  position: fc.constantFrom('a', 'aV', 'b'),
  endpoint: fc.constantFrom('https://fcm.googleapis.com/fcm/send/x', 'https://127.0.0.1/x'),
  p256dh: fc.constant(`B${'a'.repeat(86)}`),
  auth: fc.constant('a'.repeat(22)),
  songs: fc.constantFrom([], [{ title: 'Mine', url: 'https://youtu.be/AAAAAAAAAA1' }]),
  discord: fc.constantFrom('somebody', 'https://discord.gg/abc'),
  youtube_url: anyYoutubeUrl,
  youtube_channel: anyYoutubeUrl,
  youtube_share: anyYoutubeUrl,
  message: fc.constantFrom('Hello.', hostileUnits.markup, hostileUnits['line breaks']),
  banner_url: fc.constantFrom('', 'https://pictures.example/a.png'),
  job_id: fc.oneof(fc.constantFrom(CONVERSION_ID, CONVERSION_ID.toUpperCase()), fc.uuid()),
  change_id: fc.oneof(fc.constant(CONVERSION_ID), fc.uuid()),
  return_url: fc.constantFrom(
    '/account',
    'http://localhost:8080/account?x=1',
    '//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ),
  honeypot: fc.constantFrom('', 'http://spam.example'),
  open_ms: fc.constantFrom(0, 5000),
  speed: fc.constantFrom(0.85, 1, 1.25, 2),
  pitch: fc.constantFrom(0, -2),
  since: fc.constantFrom('', 'x', '1', '9'.repeat(20)),
  ...Object.fromEntries(socialFields.map((field) => [field, field === 'youtube' ? anyYoutubeUrl : anyWebUrl])),
}
/** In a search, the field `s` contains words; in other requests, it contains the id or the URL of a video. */
export const searchValues: UsefulValues = {
  ...usefulValues,
  s: fc.constantFrom('sun', 'Caf\u00e9', '\u00e9lan', 'b*', '"', 'AND OR NOT', '\u0130', hostileUnits.query),
}

const createTextType = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const createToolkitPath = (action: string) => `/identitytoolkit.googleapis.com/v1/accounts:${action}`
/**
 * Inputs that the Firebase SDK sends to the identity service, by path. The maximum lengths are the limits beyond which the service refuses
 * texts.
 */
export const identityInputs: Readonly<Record<string, TSchema>> = {
  [createToolkitPath('signUp')]: Type.Object({ email: createTextType(320), password: createTextType(1000), idToken: createTextType(4000) }),
  [createToolkitPath('signInWithPassword')]: Type.Object({ email: createTextType(320), password: createTextType(1000) }),
  [createToolkitPath('lookup')]: Type.Object({ idToken: createTextType(4000) }),
  [createToolkitPath('sendOobCode')]: Type.Object({
    requestType: Type.Optional(Type.Union([Type.Literal('PASSWORD_RESET'), Type.Literal('VERIFY_EMAIL')])),
    email: createTextType(320),
    idToken: createTextType(4000),
  }),
  [createToolkitPath('resetPassword')]: Type.Object({ oobCode: createTextType(200), newPassword: createTextType(1000) }),
  [createToolkitPath('update')]: Type.Object({
    oobCode: createTextType(200),
    idToken: createTextType(4000),
    password: createTextType(1000),
    email: createTextType(320),
  }),
  [createToolkitPath('delete')]: Type.Object({ idToken: createTextType(4000) }),
  '/securetoken.googleapis.com/v1/token': Type.Object({
    grant_type: Type.Optional(Type.Literal('refresh_token')),
    refresh_token: createTextType(200),
  }),
}
export const identityValues: UsefulValues = {
  email: fc.constantFrom(
    'stranger-1@mail.example',
    'a@exa%6dple.org',
    'a@example.org/x',
    'a@0x7f000001',
    'user@people.example',
    `${'a'.repeat(250)}@b.c`,
  ),
  password: fc.constantFrom('short', 'password', 'another long Passphrase 1', '\u0301'.repeat(999)),
  newPassword: fc.constantFrom('short', 'another long Passphrase 1'),
  idToken: fc.constantFrom('x', 'eyJhbGciOiJub25lIn0.e30.'),
  oobCode: fc.constantFrom('x', 'A'.repeat(43)),
}

const pixelOptions = { create: { width: 8, height: 8, channels: 3, background: 'red' } } as const
const largeBody = Buffer.alloc(10_485_761, 'x')
const hostileFileNames = ['a.wav', '../../etc/passwd', `${'n'.repeat(5000)}.mp3`, '', 'a\u202egnp.exe', '-rf', 'con.pcm']

/** Returns valid and invalid files for an endpoint that takes uploads. The first one is valid. */
export async function createUploadFiles(endpointKey: string): Promise<FormFile[] | undefined> {
  const pngBytes = await sharp(pixelOptions).png().toBuffer()
  const hugePng = Buffer.from(pngBytes)
  // Overwrites the width and height in the header of the PNG file, whose checksum is then wrong.
  hugePng.writeUInt32BE(60_000, 16)
  hugePng.writeUInt32BE(60_000, 20)
  const wavBytes = Buffer.concat([
    Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data\0\0\0\0', 'latin1'),
    Buffer.alloc(64),
  ])
  const pictureFiles = [
    pngBytes,
    await sharp(pixelOptions).webp().toBuffer(),
    hugePng,
    pngBytes.subarray(0, 40),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>'),
  ]
  const songs = [
    wavBytes,
    Buffer.from('fLaC'),
    Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
    Buffer.from('#EXTM3U\nfile:///etc/passwd'),
    Buffer.alloc(4000),
  ]
  const contentsByEndpoint = { 'POST /website/banner': pictureFiles, 'POST /website/portrait': pictureFiles, 'POST /make/convert': songs }[
    endpointKey
  ]
  if (contentsByEndpoint === undefined) return undefined
  return [...contentsByEndpoint, Buffer.alloc(0), largeBody].map((fileContent, index) => ({
    field: index === 3 ? 'other' : 'file',
    name: hostileFileNames[index] ?? 'a',
    content: fileContent,
  }))
}
