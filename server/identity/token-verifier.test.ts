import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { createLocalJWKSet, errors, exportSPKI, type JWK, type JWTVerifyGetKey } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from './id-tokens.ts'
import type { KeyRing } from './keys.ts'
import { createEmbeddedIssuer, createFirebaseIssuer, createTokenVerifier } from './token-verifier.ts'

// The test assembles tokens by hand, so that each part can be made invalid.

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const nowSeconds = NOW_MS / 1000
const PROJECT_ID = 'demo-site'

const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKeyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ecKeyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

type TokenPart = Record<string, unknown>
const encodePart = (part: TokenPart) => Buffer.from(JSON.stringify(part)).toString('base64url')
const signToken = (header: TokenPart, claims: TokenPart, signText: (text: Buffer) => Buffer) => {
  const text = `${encodePart(header)}.${encodePart(claims)}`
  return `${text}.${signText(Buffer.from(text)).toString('base64url')}`
}
const createRs256Signer = (key: KeyObject) => (text: Buffer) => sign('sha256', text, key)

const publicJwk = { ...keyPair.publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'RS256', use: 'sig' } as JWK
const createKeyRing = async (): Promise<KeyRing> => {
  const publicKey = await createLocalJWKSet({ keys: [publicJwk] })({ alg: 'RS256', kid: 'known' })
  return {
    getSigningKey: () => Promise.reject(new Error('not asked for')),
    findPublicKey: async (kid) => (kid === 'known' ? publicKey : undefined),
  }
}

describe.each([
  { mode: 'embedded', issuer: EMBEDDED_ISSUER, audience: EMBEDDED_AUDIENCE },
  { mode: 'firebase', issuer: `https://securetoken.google.com/${PROJECT_ID}`, audience: PROJECT_ID },
])('a token in $mode mode', ({ mode, issuer, audience }) => {
  let verifyToken: ReturnType<typeof createTokenVerifier>
  let publicPem = ''
  beforeAll(async () => {
    const keyRing = await createKeyRing()
    const googleKeys: JWTVerifyGetKey = createLocalJWKSet({ keys: [publicJwk] })
    verifyToken = createTokenVerifier(
      mode === 'embedded' ? createEmbeddedIssuer(keyRing) : createFirebaseIssuer(PROJECT_ID, googleKeys),
      () => NOW_MS,
    )
    const key = await keyRing.findPublicKey('known')
    if (key !== undefined) publicPem = await exportSPKI(key)
  })

  const tokenHeader: TokenPart = { alg: 'RS256', kid: 'known', typ: 'JWT' }
  const tokenClaims: TokenPart = {
    iss: issuer,
    aud: audience,
    sub: 'uid-1',
    user_id: 'uid-1',
    email: 'Ann@Example.com',
    email_verified: true,
    iat: nowSeconds - 60,
    auth_time: nowSeconds - 3600,
    sid: 'login-1',
    exp: nowSeconds + 3540,
    firebase: { sign_in_provider: 'password' },
  }
  const createValidToken = () => signToken(tokenHeader, tokenClaims, createRs256Signer(keyPair.privateKey))
  const createTokenWithClaims = (changes: TokenPart) =>
    signToken(tokenHeader, { ...tokenClaims, ...changes }, createRs256Signer(keyPair.privateKey))
  const createTokenWithout = (claimName: string) => {
    const { [claimName]: _, ...otherClaims } = tokenClaims
    return signToken(tokenHeader, otherClaims, createRs256Signer(keyPair.privateKey))
  }
  const expectRefusal = async (token: string) => {
    await expect(verifyToken(token)).rejects.toMatchObject({ code: 401 })
  }

  it('a valid token yields its claims', async () => {
    expect(await verifyToken(createValidToken())).toEqual({
      uid: 'uid-1',
      email: 'ann@example.com',
      emailVerified: true,
      validAfterMs: undefined,
      authTimeMs: NOW_MS - 3_600_000,
      loginId: 'login-1',
    })
    expect((await verifyToken(createTokenWithout('email'))).email).toBeUndefined()
  })

  it('in embedded mode, a token that names no login is treated as expired, so that the SDK renews it', async () => {
    if (mode === 'embedded') await expect(verifyToken(createTokenWithout('sid'))).rejects.toMatchObject({ code: 401, expired: true })
    else expect((await verifyToken(createTokenWithout('sid'))).loginId).toBeUndefined()
  })

  it('an unsigned token is refused, in every spelling of the algorithm none', async () => {
    for (const algorithmName of ['none', 'None', 'NONE', '']) {
      await expectRefusal(`${encodePart({ ...tokenHeader, alg: algorithmName })}.${encodePart(tokenClaims)}.`)
      await expectRefusal(`${encodePart({ ...tokenHeader, alg: algorithmName })}.${encodePart(tokenClaims)}`)
      await expectRefusal(signToken({ ...tokenHeader, alg: algorithmName }, tokenClaims, createRs256Signer(keyPair.privateKey)))
    }
  })

  it('a token signed with the public key as an HMAC secret is refused', async () => {
    const guessedSecrets = [
      publicPem,
      publicPem.trim(),
      keyPair.publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(publicJwk),
    ]
    for (const [algorithmName, hashName] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
      ['RS256', 'sha256'],
    ] as const)
      for (const secret of guessedSecrets)
        await expectRefusal(
          signToken({ ...tokenHeader, alg: algorithmName }, tokenClaims, (text) => createHmac(hashName, secret).update(text).digest()),
        )
  })

  it('a token with another algorithm is refused, even if it is signed with the right key', async () => {
    await expectRefusal(signToken({ ...tokenHeader, alg: 'RS512' }, tokenClaims, (text) => sign('sha512', text, keyPair.privateKey)))
    await expectRefusal(
      signToken({ ...tokenHeader, alg: 'ES256' }, tokenClaims, (text) =>
        sign('sha256', text, { key: ecKeyPair.privateKey, dsaEncoding: 'ieee-p1363' }),
      ),
    )
  })

  it('a token signed with an unknown key, or with a key in its own header, is refused', async () => {
    await expectRefusal(signToken({ ...tokenHeader, kid: 'unknown' }, tokenClaims, createRs256Signer(otherKeyPair.privateKey)))
    await expectRefusal(signToken(tokenHeader, tokenClaims, createRs256Signer(otherKeyPair.privateKey)))
    await expectRefusal(signToken({ alg: 'RS256', kid: 'unknown' }, tokenClaims, createRs256Signer(keyPair.privateKey)))
    const otherJwk = otherKeyPair.publicKey.export({ format: 'jwk' })
    await expectRefusal(signToken({ ...tokenHeader, jwk: otherJwk }, tokenClaims, createRs256Signer(otherKeyPair.privateKey)))
    await expectRefusal(signToken({ ...tokenHeader, kid: ['known'] }, tokenClaims, createRs256Signer(keyPair.privateKey)))
    await expectRefusal(signToken({ ...tokenHeader, crit: ['exp'] }, tokenClaims, createRs256Signer(keyPair.privateKey)))
  })

  it('a token of another issuer, audience or project is refused', async () => {
    const otherTokens = [
      EMBEDDED_ISSUER,
      `https://securetoken.google.com/${PROJECT_ID}`,
      'https://securetoken.google.com/other-site',
      `${issuer}/`,
      '',
    ]
    for (const iss of otherTokens.filter((each) => each !== issuer)) await expectRefusal(createTokenWithClaims({ iss }))
    for (const aud of ['other-site', '', `${audience} `, [audience], [audience, 'other-site']])
      await expectRefusal(createTokenWithClaims({ aud }))
    await expectRefusal(createTokenWithClaims({ iss: 'https://securetoken.google.com/other-site', aud: 'other-site' }))
  })

  it('a token that is expired or not yet valid is refused', async () => {
    await expect(verifyToken(createTokenWithClaims({ exp: nowSeconds }))).rejects.toMatchObject({ code: 401, expired: true })
    await expect(verifyToken(createTokenWithClaims({ exp: nowSeconds - 3600 }))).rejects.toMatchObject({ code: 401, expired: true })
    await expectRefusal(createTokenWithClaims({ iat: nowSeconds + 60 }))
    await expectRefusal(createTokenWithClaims({ nbf: nowSeconds + 60 }))
    await expectRefusal(createTokenWithClaims({ auth_time: nowSeconds + 60 }))
    // Checks an expired token with a wrong signature, which must not be refused as merely expired.
    await expect(
      verifyToken(signToken(tokenHeader, { ...tokenClaims, exp: 1 }, createRs256Signer(otherKeyPair.privateKey))),
    ).rejects.toMatchObject({
      expired: false,
    })
  })

  it('a token with a missing claim or a claim of the wrong type is refused', async () => {
    for (const claimName of ['iss', 'aud', 'sub', 'iat', 'auth_time', 'exp']) {
      await expectRefusal(createTokenWithout(claimName))
      for (const value of [null, true, '', {}, claimName === 'sub' || claimName === 'iss' || claimName === 'aud' ? 5 : '5'])
        await expectRefusal(createTokenWithClaims({ [claimName]: value }))
    }
    await expectRefusal(createTokenWithClaims({ sub: 'x'.repeat(129) }))
  })

  it('a token in which any character is changed is refused', async () => {
    const token = createValidToken()
    const anyCharacter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ')
    const decodeBase64 = (base64Text: string) =>
      base64Text
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString('hex'))
        .join('.')
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: token.length - 1 }),
        anyCharacter,
        fc.constantFrom('replace', 'insert', 'cut'),
        async (characterIndex, replacedCharacter, changeKind) => {
          const tokenEnd = changeKind === 'insert' ? token.slice(characterIndex) : token.slice(characterIndex + 1)
          const changedToken =
            changeKind === 'cut' ? token.slice(0, characterIndex) : token.slice(0, characterIndex) + replacedCharacter + tokenEnd
          // Skips the last character of the signature: some of its bits are unused, and changing only those leaves the token unchanged.
          fc.pre(decodeBase64(changedToken) !== decodeBase64(token))
          await expectRefusal(changedToken)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('a token with changed claims or a changed header and the old signature is refused', async () => {
    const [headPart = '', claimsPart = '', signaturePart = ''] = createValidToken().split('.')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (extraClaims) => {
        fc.pre(Object.keys(extraClaims).length > 0)
        await expectRefusal(`${headPart}.${encodePart({ ...tokenClaims, ...extraClaims })}.${signaturePart}`)
        await expectRefusal(`${encodePart({ ...tokenHeader, ...extraClaims })}.${claimsPart}.${signaturePart}`)
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
        expectRefusal,
      ),
      { numRuns: 200 },
    )
    await expectRefusal('a'.repeat(1_000_000))
  })
})

it('if the key set cannot be loaded, the status is 503, not 401', async () => {
  const fetchFailures = [new TypeError('fetch failed'), new Error('Expected 200 OK from the JSON Web Key Set HTTP response')]
  for (const fetchFailure of fetchFailures) {
    const verifyToken = createTokenVerifier(
      createFirebaseIssuer(PROJECT_ID, () => Promise.reject(fetchFailure)),
      () => NOW_MS,
    )
    const token = signToken({ alg: 'RS256', kid: 'known' }, { sub: 'x' }, createRs256Signer(keyPair.privateKey))
    await expect(verifyToken(token)).rejects.toMatchObject({ code: 503 })
    // Checks that malformed tokens are refused without loading a key.
    await expect(verifyToken('nonsense')).rejects.toMatchObject({ code: 401 })
    await expect(verifyToken(`${encodePart({ alg: 'none' })}.${encodePart({})}.`)).rejects.toMatchObject({ code: 401 })
  }
})

it('a token is accepted again without a new check of its signature, until it expires or its key is withdrawn for a minute', async () => {
  let clockMs = NOW_MS
  const localKeys = createLocalJWKSet({ keys: [publicJwk] })
  const findKey = vi.fn<JWTVerifyGetKey>(localKeys)
  const verifyToken = createTokenVerifier(createFirebaseIssuer(PROJECT_ID, findKey), () => clockMs)
  const tokenClaims = {
    iss: `https://securetoken.google.com/${PROJECT_ID}`,
    aud: PROJECT_ID,
    sub: 'uid-1',
    iat: nowSeconds,
    auth_time: nowSeconds,
  }
  const createToken = (exp: number) =>
    signToken({ alg: 'RS256', kid: 'known' }, { ...tokenClaims, exp }, createRs256Signer(keyPair.privateKey))
  const [shortToken, longToken] = [createToken(nowSeconds + 30), createToken(nowSeconds + 3600)]
  for (const token of [shortToken, shortToken, longToken, longToken])
    await expect(verifyToken(token)).resolves.toMatchObject({ uid: 'uid-1' })
  expect(findKey).toHaveBeenCalledTimes(2)

  clockMs += 30_000
  await expect(verifyToken(shortToken)).rejects.toMatchObject({ code: 401, expired: true })
  findKey.mockRejectedValue(new errors.JWKSNoMatchingKey())
  await expect(verifyToken(longToken)).resolves.toMatchObject({ uid: 'uid-1' })
  clockMs += 31_000
  await expect(verifyToken(longToken)).rejects.toMatchObject({ code: 401, expired: false })
})
