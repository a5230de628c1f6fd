import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const ID_BYTES = 16

/** 256 random bits, fit for a URL. */
export const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

/** What is stored of a secret. It is random through and through, so a plain hash cannot be searched for it. */
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** 28 characters, as long as those of the service that this one stands in for. */
export const newUid = () => randomBytes(21).toString('base64url')

/** A refresh token names its family, so that a copy of an old one ends the family without every old one being kept. */
export function newRefreshToken(familyId = randomBytes(ID_BYTES).toString('base64url')) {
  const token = `${familyId}.${newSecret()}`
  return { familyId, token, hash: hashOf(token) }
}

/** `undefined` where the text cannot be a refresh token of ours. */
export function readRefreshToken(token: string): { familyId: string; hash: string } | undefined {
  const familyId = /^([\w-]{22})\.[\w-]{43}$/.exec(token)?.[1]
  return familyId === undefined ? undefined : { familyId, hash: hashOf(token) }
}
