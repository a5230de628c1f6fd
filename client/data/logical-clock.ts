import { createUniqueId } from '../primitives/unique-id.ts'
import type { LogicalClockRow, OutboxRow, Tables } from './local-database.ts'

/** The latest time that ISO 8601 can express with a four-digit year. */
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

const readChangeTimeMs = ({ body }: OutboxRow): number => ('at' in body ? Date.parse(body.at) : 0)

async function readClock(tables: Tables, uid: string): Promise<LogicalClockRow> {
  const storedClock = await tables.favoriteClocks.get(uid)
  if (storedClock) return storedClock
  // A database that had to be created again has the changes of the outbox, but no clock.
  const ownRows = (await tables.outbox.all()).filter((row) => row.uid === uid)
  return { uid, device: createUniqueId(), atMs: Math.max(0, ...ownRows.map(readChangeTimeMs)) }
}

/**
 * Returns the account's device id and the times of `timeCount` new changes, ISO 8601. Each time is later than the account's logical clock, which advances to
 * the last one.
 */
export async function takeChangeTimes(
  tables: Tables,
  uid: string,
  timeCount: number,
  nowMs: number,
): Promise<{ deviceId: string; timeTexts: string[] }> {
  const clock = await readClock(tables, uid)
  let { atMs } = clock
  const timeTexts = Array.from({ length: timeCount }, () => {
    atMs = Math.min(MAX_TIME_MS, Math.max(nowMs, atMs + 1))
    return new Date(atMs).toISOString()
  })
  await tables.favoriteClocks.put([{ ...clock, atMs }])
  return { deviceId: clock.device, timeTexts }
}

/** Advances the account's logical clock to the time of a change that the server has sent. */
export async function advanceClock(tables: Tables, uid: string, atMs: number): Promise<void> {
  const clock = (await tables.favoriteClocks.get(uid)) ?? { uid, device: createUniqueId(), atMs: 0 }
  if (atMs > clock.atMs) await tables.favoriteClocks.put([{ ...clock, atMs }])
}
