import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const ID_BYTES = 16

/** Returns 256 random bits in base64url. */
export const createSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

/** Returns the hash under which a secret is stored. A plain SHA-256 suffices, as the secret has 256 random bits. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Returns a random id of 28 characters, the length of Firebase user ids. */
export const createUid = () => randomBytes(21).toString('base64url')

/** Returns the random public id of a login. It grants no access. */
export const createLoginId = () => randomBytes(ID_BYTES).toString('base64url')

/** Creates a refresh token. It contains its family's id, so that reuse of a rotated token revokes the family without storing all old tokens. */
export function createRefreshToken(familyId = randomBytes(ID_BYTES).toString('base64url')) {
  const token = `${familyId}.${createSecret()}`
  return { familyId, token, hash: hashSecret(token) }
}

/** Returns the family id and the hash of a refresh token, or undefined if the text does not have the form of a refresh token. */
export function parseRefreshToken(token: string): { familyId: string; hash: string } | undefined {
  const familyId = /^([\w-]{22})\.[\w-]{43}$/.exec(token)?.[1]
  return familyId === undefined ? undefined : { familyId, hash: hashSecret(token) }
}
