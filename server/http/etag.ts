import { hash } from 'node:crypto'

/** Returns a weak ETag: the plain and the gzipped body share it. */
export const computeEtag = (body: string | Buffer): string => `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`
