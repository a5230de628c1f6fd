/** A change of a value as a device reports it. Times are epoch milliseconds. */
export interface DeviceChange<T> {
  value: T
  /** The time of the change by the device's clock. */
  atMs: number
  deviceId: string
}

/** A stored value with its latest change. */
export interface LastWriteWinsRegister<T> {
  value: T
  /** The time of the change, limited to the server's time. */
  changedAtMs: number
  deviceId: string
  /** The time of the change by the device's clock. */
  claimedAtMs: number
}

/** The earliest accepted time. Earlier times come from clocks that were never set, and are replaced by this time. */
const EARLIEST_CHANGE_MS = Date.UTC(2000, 0, 1)
/**
 * The device id of changes that are sent without one. It is the smallest id, so that these changes lose against a device's change of the
 * same time.
 */
const NO_DEVICE_ID = '00000000-0000-0000-0000-000000000000'

/** How far in the future a stored time may be. A later one was stored while the server's clock was ahead, and counts as just before the current time. */
const STORED_TIME_AHEAD_MAX_MS = 5 * 60_000

/** Limits the time of a device's change to the server's time. */
export const limitToServerTime = (claimedAtMs: number, nowMs: number): number => Math.max(EARLIEST_CHANGE_MS, Math.min(claimedAtMs, nowMs))

/**
 * Returns the time of a device's change in epoch milliseconds. A time with a leap second is valid in ISO 8601, but `Date.parse` rejects it. Such a
 * time is replaced by the current time.
 */
export function parseChangeTime(timeText: string, nowMs: number): number {
  const ms = Date.parse(timeText)
  return Number.isNaN(ms) ? nowMs : ms
}

/**
 * Merges a change into the stored value; returns undefined if a later change is stored. The last change wins. Changes of one device are ordered
 * by that device's clock; changes of two devices by the limited time, then by the greater device id.
 */
export function mergeChange<T>(
  deviceChange: DeviceChange<T>,
  storedRegister: LastWriteWinsRegister<T> | undefined,
  nowMs: number,
): LastWriteWinsRegister<T> | undefined {
  const { value, deviceId, atMs: claimedAtMs } = deviceChange
  const atMs = limitToServerTime(claimedAtMs, nowMs)
  if (storedRegister === undefined) return { value, changedAtMs: atMs, deviceId, claimedAtMs }
  const storedMs = storedRegister.changedAtMs > nowMs + STORED_TIME_AHEAD_MAX_MS ? nowMs - 1 : storedRegister.changedAtMs
  if (deviceId === storedRegister.deviceId) {
    // The stored time never decreases, so that later changes of other devices stay later.
    return claimedAtMs < storedRegister.claimedAtMs ? undefined : { value, changedAtMs: Math.max(atMs, storedMs), deviceId, claimedAtMs }
  }
  const isLater = atMs > storedMs || (atMs === storedMs && deviceId > storedRegister.deviceId)
  return isLater ? { value, changedAtMs: atMs, deviceId, claimedAtMs } : undefined
}

/**
 * Returns the stored value for a change that is made on the server at `nowMs`. If the value that was stored before has the same or a later time,
 * the new value's time is `nowMs + 1`.
 */
export function createServerRegister<T>(
  registerValue: T,
  storedRegister: LastWriteWinsRegister<T> | undefined,
  nowMs: number,
): LastWriteWinsRegister<T> {
  const atMs = storedRegister !== undefined && storedRegister.changedAtMs >= nowMs ? nowMs + 1 : nowMs
  return { value: registerValue, changedAtMs: atMs, deviceId: NO_DEVICE_ID, claimedAtMs: atMs }
}
