import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { createLocalJWKSet, errors, exportSPKI, type JWK, type JWTVerifyGetKey } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from './id-tokens.ts'
import type { KeyRing } from './keys.ts'
import { createTokenVerifier, embeddedIssuer, firebaseIssuer } from './token-verifier.ts'

// The test assembles tokens by hand, so that each part can be made invalid.

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const seconds = NOW_MS / 1000
const PROJECT_ID = 'demo-site'

const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKeyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })

type TokenPart = Record<string, unknown>
const encodePart = (part: TokenPart) => Buffer.from(JSON.stringify(part)).toString('base64url')
const signToken = (header: TokenPart, claims: TokenPart, sign: (text: Buffer) => Buffer) => {
  const text = `${encodePart(header)}.${encodePart(claims)}`
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`
}
const rs256Signer = (key: KeyObject) => (text: Buffer) => sign('sha256', text, key)

const publicJwk = { ...keyPair.publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'RS256', use: 'sig' } as JWK
const createRing = async (): Promise<KeyRing> => {
  const key = await createLocalJWKSet({ keys: [publicJwk] })({ alg: 'RS256', kid: 'known' })
  return {
    signingKey: () => Promise.reject(new Error('not asked for')),
    publicKey: async (kid) => (kid === 'known' ? key : undefined),
  }
}

describe.each([
  { mode: 'embedded', issuer: EMBEDDED_ISSUER, audience: EMBEDDED_AUDIENCE },
  { mode: 'firebase', issuer: `https://securetoken.google.com/${PROJECT_ID}`, audience: PROJECT_ID },
])('a token in $mode mode', ({ mode, issuer, audience }) => {
  let verify: ReturnType<typeof createTokenVerifier>
  let publicPem = ''
  beforeAll(async () => {
    const keys = await createRing()
    const googleKeys: JWTVerifyGetKey = createLocalJWKSet({ keys: [publicJwk] })
    verify = createTokenVerifier(mode === 'embedded' ? embeddedIssuer(keys) : firebaseIssuer(PROJECT_ID, googleKeys), () => NOW_MS)
    const key = await keys.publicKey('known')
    if (key !== undefined) publicPem = await exportSPKI(key)
  })

  const header: TokenPart = { alg: 'RS256', kid: 'known', typ: 'JWT' }
  const claims: TokenPart = {
    iss: issuer,
    aud: audience,
    sub: 'uid-1',
    user_id: 'uid-1',
    email: 'Ann@Example.com',
    email_verified: true,
    iat: seconds - 60,
    auth_time: seconds - 3600,
    sid: 'login-1',
    exp: seconds + 3540,
    firebase: { sign_in_provider: 'password' },
  }
  const validToken = () => signToken(header, claims, rs256Signer(keyPair.privateKey))
  const withClaims = (changes: TokenPart) => signToken(header, { ...claims, ...changes }, rs256Signer(keyPair.privateKey))
  const tokenWithout = (name: string) => {
    const { [name]: _, ...otherClaims } = claims
    return signToken(header, otherClaims, rs256Signer(keyPair.privateKey))
  }
  const refusalOf = async (token: string) => {
    await expect(verify(token)).rejects.toMatchObject({ code: 401 })
  }

  it('a valid token yields its claims', async () => {
    expect(await verify(validToken())).toEqual({
      uid: 'uid-1',
      email: 'ann@example.com',
      emailVerified: true,
      validAfterMs: undefined,
      authTimeMs: NOW_MS - 3_600_000,
      loginId: 'login-1',
    })
    expect((await verify(tokenWithout('email'))).email).toBeUndefined()
  })

  it('in embedded mode, a token that names no login is treated as expired, so that the SDK renews it', async () => {
    if (mode === 'embedded') await expect(verify(tokenWithout('sid'))).rejects.toMatchObject({ code: 401, expired: true })
    else expect((await verify(tokenWithout('sid'))).loginId).toBeUndefined()
  })

  it('an unsigned token is refused, in every spelling of the algorithm none', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      await refusalOf(`${encodePart({ ...header, alg })}.${encodePart(claims)}.`)
      await refusalOf(`${encodePart({ ...header, alg })}.${encodePart(claims)}`)
      await refusalOf(signToken({ ...header, alg }, claims, rs256Signer(keyPair.privateKey)))
    }
  })

  it('a token signed with the public key as an HMAC secret is refused', async () => {
    const secrets = [publicPem, publicPem.trim(), keyPair.publicKey.export({ format: 'der', type: 'spki' }), JSON.stringify(publicJwk)]
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
      ['RS256', 'sha256'],
    ] as const)
      for (const secret of secrets)
        await refusalOf(signToken({ ...header, alg }, claims, (text) => createHmac(hash, secret).update(text).digest()))
  })

  it('a token with another algorithm is refused, even if it is signed with the right key', async () => {
    await refusalOf(signToken({ ...header, alg: 'RS512' }, claims, (text) => sign('sha512', text, keyPair.privateKey)))
    await refusalOf(
      signToken({ ...header, alg: 'ES256' }, claims, (text) => sign('sha256', text, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })),
    )
  })

  it('a token signed with an unknown or embedded key is refused', async () => {
    await refusalOf(signToken({ ...header, kid: 'unknown' }, claims, rs256Signer(otherKeyPair.privateKey)))
    await refusalOf(signToken(header, claims, rs256Signer(otherKeyPair.privateKey)))
    await refusalOf(signToken({ alg: 'RS256', kid: 'unknown' }, claims, rs256Signer(keyPair.privateKey)))
    const jwk = otherKeyPair.publicKey.export({ format: 'jwk' })
    await refusalOf(signToken({ ...header, jwk }, claims, rs256Signer(otherKeyPair.privateKey)))
    await refusalOf(signToken({ ...header, kid: ['known'] }, claims, rs256Signer(keyPair.privateKey)))
    await refusalOf(signToken({ ...header, crit: ['exp'] }, claims, rs256Signer(keyPair.privateKey)))
  })

  it('a token of another issuer, audience or project is refused', async () => {
    const otherTokens = [
      EMBEDDED_ISSUER,
      `https://securetoken.google.com/${PROJECT_ID}`,
      'https://securetoken.google.com/other-site',
      `${issuer}/`,
      '',
    ]
    for (const iss of otherTokens.filter((each) => each !== issuer)) await refusalOf(withClaims({ iss }))
    for (const aud of ['other-site', '', `${audience} `, [audience], [audience, 'other-site']]) await refusalOf(withClaims({ aud }))
    await refusalOf(withClaims({ iss: 'https://securetoken.google.com/other-site', aud: 'other-site' }))
  })

  it('a token that is expired or not yet valid is refused', async () => {
    await expect(verify(withClaims({ exp: seconds }))).rejects.toMatchObject({ code: 401, expired: true })
    await expect(verify(withClaims({ exp: seconds - 3600 }))).rejects.toMatchObject({ code: 401, expired: true })
    await refusalOf(withClaims({ iat: seconds + 60 }))
    await refusalOf(withClaims({ nbf: seconds + 60 }))
    await refusalOf(withClaims({ auth_time: seconds + 60 }))
    // Checks an expired token with a wrong signature, which must not be refused as merely expired.
    await expect(verify(signToken(header, { ...claims, exp: 1 }, rs256Signer(otherKeyPair.privateKey)))).rejects.toMatchObject({
      expired: false,
    })
  })

  it('a token with a missing claim or a claim of the wrong type is refused', async () => {
    for (const name of ['iss', 'aud', 'sub', 'iat', 'auth_time', 'exp']) {
      await refusalOf(tokenWithout(name))
      for (const value of [null, true, '', {}, name === 'sub' || name === 'iss' || name === 'aud' ? 5 : '5'])
        await refusalOf(withClaims({ [name]: value }))
    }
    await refusalOf(withClaims({ sub: 'x'.repeat(129) }))
  })

  it('a token in which any character is changed is refused', async () => {
    const token = validToken()
    const anyCharacter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ')
    const bytesOf = (text: string) =>
      text
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('hex'))
        .join('.')
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: token.length - 1 }),
        anyCharacter,
        fc.constantFrom('replace', 'insert', 'cut'),
        async (characterIndex, character, changeKind) => {
          const otherClaims = changeKind === 'insert' ? token.slice(characterIndex) : token.slice(characterIndex + 1)
          const changedToken =
            changeKind === 'cut' ? token.slice(0, characterIndex) : token.slice(0, characterIndex) + character + otherClaims
          // Skips the last character of the signature: some of its bits are unused, and changing only those leaves the token unchanged.
          fc.pre(bytesOf(changedToken) !== bytesOf(token))
          await refusalOf(changedToken)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('a token with changed claims or a changed header and the old signature is refused', async () => {
    const [headPart = '', claimsPart = '', signature = ''] = validToken().split('.')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (extraClaims) => {
        fc.pre(Object.keys(extraClaims).length > 0)
        await refusalOf(`${headPart}.${encodePart({ ...claims, ...extraClaims })}.${signature}`)
        await refusalOf(`${encodePart({ ...header, ...extraClaims })}.${claimsPart}.${signature}`)
      }),
      { numRuns: 100 },
    )
  })

  it('arbitrary text is refused as a token', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `${text}.${text}.${text}`),
        ),
        refusalOf,
      ),
      { numRuns: 200 },
    )
    await refusalOf('a'.repeat(1_000_000))
  })
})

it('if the key set cannot be loaded, the status is 503, not 401', async () => {
  const failures = [new TypeError('fetch failed'), new Error('Expected 200 OK from the JSON Web Key Set HTTP response')]
  for (const failure of failures) {
    const verify = createTokenVerifier(
      firebaseIssuer(PROJECT_ID, () => Promise.reject(failure)),
      () => NOW_MS,
    )
    const token = signToken({ alg: 'RS256', kid: 'known' }, { sub: 'x' }, rs256Signer(keyPair.privateKey))
    await expect(verify(token)).rejects.toMatchObject({ code: 503 })
    // Checks that malformed tokens are refused without loading a key.
    await expect(verify('nonsense')).rejects.toMatchObject({ code: 401 })
    await expect(verify(`${encodePart({ alg: 'none' })}.${encodePart({})}.`)).rejects.toMatchObject({ code: 401 })
  }
})

it('a token is accepted again without a new check of its signature, until it expires or its key is withdrawn for a minute', async () => {
  let clockMs = NOW_MS
  const keys = createLocalJWKSet({ keys: [publicJwk] })
  const findKey = vi.fn<JWTVerifyGetKey>(keys)
  const verify = createTokenVerifier(firebaseIssuer(PROJECT_ID, findKey), () => clockMs)
  const claims = { iss: `https://securetoken.google.com/${PROJECT_ID}`, aud: PROJECT_ID, sub: 'uid-1', iat: seconds, auth_time: seconds }
  const createToken = (exp: number) => signToken({ alg: 'RS256', kid: 'known' }, { ...claims, exp }, rs256Signer(keyPair.privateKey))
  const [shortToken, longToken] = [createToken(seconds + 30), createToken(seconds + 3600)]
  for (const token of [shortToken, shortToken, longToken, longToken]) await expect(verify(token)).resolves.toMatchObject({ uid: 'uid-1' })
  expect(findKey).toHaveBeenCalledTimes(2)

  clockMs += 30_000
  await expect(verify(shortToken)).rejects.toMatchObject({ code: 401, expired: true })
  findKey.mockRejectedValue(new errors.JWKSNoMatchingKey())
  await expect(verify(longToken)).resolves.toMatchObject({ uid: 'uid-1' })
  clockMs += 31_000
  await expect(verify(longToken)).rejects.toMatchObject({ code: 401, expired: false })
})
