import { createUniqueId } from '../primitives/unique-id.ts'
import type { LogicalClockRow, OutboxRow, Tables } from './local-database.ts'

/** The latest time that ISO 8601 can express with a four-digit year. */
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** How far the logical clock may be ahead of both the device's clock and the changes that the server has sent. */
const CLOCK_AHEAD_MAX_MS = 3_600_000

/** Returns the time with which a change is stamped, in epoch milliseconds; 0 for a change without one. */
export const readChangeTimeMs = ({ body }: OutboxRow): number => ('at' in body ? Date.parse(body.at) : 0)

async function readClock(tables: Tables, uid: string): Promise<LogicalClockRow> {
  const storedClock = await tables.favoriteClocks.get(uid)
  if (storedClock) return storedClock
  // A database that had to be created again has the changes of the outbox, but no clock.
  const ownRows = (await tables.outbox.all()).filter((row) => row.uid === uid)
  return { uid, device: createUniqueId(), atMs: Math.max(0, ...ownRows.map(readChangeTimeMs)) }
}

/**
 * Returns the clock with which the next change is stamped. If the device's clock was ahead when it stamped an earlier change, this is a clock with a new
 * device id: with the old id, all changes until that time would be dated in the future, which the server replaces by their time of arrival, so that
 * they would win against changes that other devices made later. The id is new, because the server orders the changes of one device by their stamps. While
 * changes are in the outbox, the clock stays, because they must be ordered before the next change.
 */
async function correctClock(tables: Tables, clock: LogicalClockRow, nowMs: number): Promise<LogicalClockRow> {
  const { uid, atMs, receivedMs = atMs } = clock
  if (atMs - Math.max(nowMs, receivedMs) <= CLOCK_AHEAD_MAX_MS) return clock
  if ((await tables.outbox.all()).some((row) => row.uid === uid && 'at' in row.body)) return clock
  return { uid, device: createUniqueId(), atMs: receivedMs, receivedMs }
}

/**
 * Returns the account's device id and the times of `timeCount` new changes, ISO 8601. Each time is later than the account's logical clock, which advances to
 * the last one.
 * @param madeAtMs when each change was made, not later than `nowMs`; missing times are `nowMs`
 */
export async function takeChangeTimes(
  tables: Tables,
  uid: string,
  timeCount: number,
  nowMs: number,
  madeAtMs: readonly number[] = [],
): Promise<{ deviceId: string; timeTexts: string[] }> {
  const clock = await correctClock(tables, await readClock(tables, uid), nowMs)
  let { atMs } = clock
  const timeTexts = Array.from({ length: timeCount }, (_, index) => {
    atMs = Math.min(MAX_TIME_MS, Math.max(madeAtMs[index] ?? nowMs, atMs + 1))
    return new Date(atMs).toISOString()
  })
  await tables.favoriteClocks.put([{ ...clock, atMs }])
  return { deviceId: clock.device, timeTexts }
}

/** Advances the account's logical clock to the time of a change that the server has sent. */
export async function advanceClock(tables: Tables, uid: string, atMs: number): Promise<void> {
  const clock = (await tables.favoriteClocks.get(uid)) ?? { uid, device: createUniqueId(), atMs: 0 }
  if (atMs > (clock.receivedMs ?? 0)) await tables.favoriteClocks.put([{ ...clock, atMs: Math.max(atMs, clock.atMs), receivedMs: atMs }])
}
