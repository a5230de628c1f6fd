import { createHmac, timingSafeEqual } from 'node:crypto'
import { ADDRESS_MINUTES } from '../../contract/conversion-rules.ts'
import type { Conversion } from './store.ts'

type SignedConversion = Pick<Conversion, 'id' | 'secret'>

const sign = ({ secret, id }: SignedConversion, untilMs: number) =>
  createHmac('sha256', secret).update(`${id} ${untilMs}`).digest('base64url')

/** Returns the address at which a converted file is downloaded for `ADDRESS_MINUTES`. */
export function signedLinkOf(conversion: SignedConversion, nowMs: number): string {
  const untilMs = nowMs + ADDRESS_MINUTES * 60_000
  return `/api/make/file/${conversion.id}?until=${untilMs}&signature=${sign(conversion, untilMs)}`
}

/** Whether a link has the signature of its conversion and time, and the time is not over. */
export function isLinkValid(conversion: SignedConversion, { untilMs, signature }: { untilMs: number; signature: string }, nowMs: number) {
  const expected = Buffer.from(sign(conversion, untilMs))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) && untilMs > nowMs
}
