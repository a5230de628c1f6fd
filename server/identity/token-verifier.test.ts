import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { createLocalJWKSet, exportSPKI, type JWK, type JWTVerifyGetKey } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from './id-tokens.ts'
import type { KeyRing } from './keys.ts'
import { createTokenVerifier, embeddedIssuer, firebaseIssuer } from './token-verifier.ts'

// Tokens are put together by hand here, so that they can be wrong in every way.

const NOW = Date.parse('2026-03-01T12:00:00Z')
const seconds = NOW / 1000
const PROJECT = 'demo-site'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })

type Part = Record<string, unknown>
const encode = (part: Part) => Buffer.from(JSON.stringify(part)).toString('base64url')
const signed = (header: Part, claims: Part, by: (text: Buffer) => Buffer) => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${by(Buffer.from(text)).toString('base64url')}`
}
const rs256 = (key: KeyObject) => (text: Buffer) => sign('sha256', text, key)

const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'RS256', use: 'sig' } as JWK
const ring = async (): Promise<KeyRing> => {
  const key = await createLocalJWKSet({ keys: [publicJwk] })({ alg: 'RS256', kid: 'known' })
  return {
    signing: () => Promise.reject(new Error('not asked for')),
    publicKey: async (kid) => (kid === 'known' ? key : undefined),
  }
}

describe.each([
  { mode: 'embedded', issuer: EMBEDDED_ISSUER, audience: EMBEDDED_AUDIENCE },
  { mode: 'firebase', issuer: `https://securetoken.google.com/${PROJECT}`, audience: PROJECT },
])('a token in $mode mode', ({ mode, issuer, audience }) => {
  let verify: ReturnType<typeof createTokenVerifier>
  let publicPem = ''
  beforeAll(async () => {
    const keys = await ring()
    const google: JWTVerifyGetKey = createLocalJWKSet({ keys: [publicJwk] })
    verify = createTokenVerifier(mode === 'embedded' ? embeddedIssuer(keys) : firebaseIssuer(PROJECT, google), () => NOW)
    const key = await keys.publicKey('known')
    if (key !== undefined) publicPem = await exportSPKI(key)
  })

  const header: Part = { alg: 'RS256', kid: 'known', typ: 'JWT' }
  const claims: Part = {
    ...{ iss: issuer, aud: audience, sub: 'uid-1', user_id: 'uid-1', email: 'Ann@Example.com', email_verified: true },
    ...{ iat: seconds - 60, auth_time: seconds - 3600, exp: seconds + 3540, firebase: { sign_in_provider: 'password' } },
  }
  const good = () => signed(header, claims, rs256(pair.privateKey))
  const withClaims = (changes: Part) => signed(header, { ...claims, ...changes }, rs256(pair.privateKey))
  const without = (name: string) => {
    const { [name]: _, ...rest } = claims
    return signed(header, rest, rs256(pair.privateKey))
  }
  const refused = async (token: string) => {
    await expect(verify(token)).rejects.toMatchObject({ code: 401 })
  }

  it('that is right tells who it is', async () => {
    expect(await verify(good())).toEqual({
      ...{ uid: 'uid-1', email: 'ann@example.com', emailVerified: true },
      ...{ validAfterMs: undefined, authTimeMs: NOW - 3_600_000 },
    })
    expect((await verify(without('email'))).email).toBeUndefined()
  })

  it('that is unsigned is refused, however none is written', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      await refused(`${encode({ ...header, alg })}.${encode(claims)}.`)
      await refused(`${encode({ ...header, alg })}.${encode(claims)}`)
      await refused(signed({ ...header, alg }, claims, rs256(pair.privateKey)))
    }
  })

  it('that is signed with the public key as a secret is refused', async () => {
    const secrets = [publicPem, publicPem.trim(), pair.publicKey.export({ format: 'der', type: 'spki' }), JSON.stringify(publicJwk)]
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
      ['RS256', 'sha256'],
    ] as const)
      for (const secret of secrets)
        await refused(signed({ ...header, alg }, claims, (text) => createHmac(hash, secret).update(text).digest()))
  })

  it('of another algorithm is refused, even by the right key', async () => {
    await refused(signed({ ...header, alg: 'RS512' }, claims, (text) => sign('sha512', text, pair.privateKey)))
    await refused(
      signed({ ...header, alg: 'ES256' }, claims, (text) => sign('sha256', text, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })),
    )
  })

  it('by a key that is unknown, or that it brings along, is refused', async () => {
    await refused(signed({ ...header, kid: 'unknown' }, claims, rs256(stranger.privateKey)))
    await refused(signed(header, claims, rs256(stranger.privateKey)))
    await refused(signed({ alg: 'RS256', kid: 'unknown' }, claims, rs256(pair.privateKey)))
    const jwk = stranger.publicKey.export({ format: 'jwk' })
    await refused(signed({ ...header, jwk }, claims, rs256(stranger.privateKey)))
    await refused(signed({ ...header, kid: ['known'] }, claims, rs256(pair.privateKey)))
    await refused(signed({ ...header, crit: ['exp'] }, claims, rs256(pair.privateKey)))
  })

  it('of another issuer, audience or project is refused', async () => {
    const others = [
      EMBEDDED_ISSUER,
      `https://securetoken.google.com/${PROJECT}`,
      'https://securetoken.google.com/other-site',
      `${issuer}/`,
      '',
    ]
    for (const iss of others.filter((each) => each !== issuer)) await refused(withClaims({ iss }))
    for (const aud of ['other-site', '', `${audience} `, [audience], [audience, 'other-site']]) await refused(withClaims({ aud }))
    await refused(withClaims({ iss: 'https://securetoken.google.com/other-site', aud: 'other-site' }))
  })

  it('that is over or not yet begun is refused', async () => {
    await expect(verify(withClaims({ exp: seconds }))).rejects.toMatchObject({ code: 401, expired: true })
    await expect(verify(withClaims({ exp: seconds - 3600 }))).rejects.toMatchObject({ code: 401, expired: true })
    await refused(withClaims({ iat: seconds + 60 }))
    await refused(withClaims({ nbf: seconds + 60 }))
    await refused(withClaims({ auth_time: seconds + 60 }))
    // An expired token of somebody else's is not merely expired.
    await expect(verify(signed(header, { ...claims, exp: 1 }, rs256(stranger.privateKey)))).rejects.toMatchObject({ expired: false })
  })

  it('that lacks a claim, or has it in another type, is refused', async () => {
    for (const name of ['iss', 'aud', 'sub', 'iat', 'auth_time', 'exp']) {
      await refused(without(name))
      for (const value of [null, true, '', {}, name === 'sub' || name === 'iss' || name === 'aud' ? 5 : '5'])
        await refused(withClaims({ [name]: value }))
    }
    await refused(withClaims({ sub: 'x'.repeat(129) }))
  })

  it('that was changed anywhere is refused', async () => {
    const token = good()
    const characters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ')
    const bytesOf = (text: string) =>
      text
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('hex'))
        .join('.')
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: token.length - 1 }),
        characters,
        fc.constantFrom('replace', 'insert', 'cut'),
        async (at, character, how) => {
          const rest = how === 'insert' ? token.slice(at) : token.slice(at + 1)
          const changed = how === 'cut' ? token.slice(0, at) : token.slice(0, at) + character + rest
          // The last character of a part has bits that mean nothing: then the token is the same.
          fc.pre(bytesOf(changed) !== bytesOf(token))
          await refused(changed)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('with any other claims or header, not signed anew, is refused', async () => {
    const [head = '', body = '', signature = ''] = good().split('.')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (extra) => {
        fc.pre(Object.keys(extra).length > 0)
        await refused(`${head}.${encode({ ...claims, ...extra })}.${signature}`)
        await refused(`${encode({ ...header, ...extra })}.${body}.${signature}`)
      }),
      { numRuns: 100 },
    )
  })

  it('that is any text at all is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `${text}.${text}.${text}`),
        ),
        refused,
      ),
      { numRuns: 200 },
    )
    await refused('a'.repeat(1_000_000))
  })
})

it('a key set that cannot be had is 503, not 401', async () => {
  const failures = [new TypeError('fetch failed'), new Error('Expected 200 OK from the JSON Web Key Set HTTP response')]
  for (const failure of failures) {
    const verify = createTokenVerifier(
      firebaseIssuer(PROJECT, () => Promise.reject(failure)),
      () => NOW,
    )
    const token = signed({ alg: 'RS256', kid: 'known' }, { sub: 'x' }, rs256(pair.privateKey))
    await expect(verify(token)).rejects.toMatchObject({ code: 503 })
    // What is no token needs no key to be refused.
    await expect(verify('nonsense')).rejects.toMatchObject({ code: 401 })
    await expect(verify(`${encode({ alg: 'none' })}.${encode({})}.`)).rejects.toMatchObject({ code: 401 })
  }
})
