/** A favorite change as a device reports it. Times are epoch milliseconds. */
export interface DeviceChange {
  favorite: boolean
  /** The time of the change by the device's clock. */
  atMs: number
  deviceId: string
}

/** Stored favorite state of a song: the latest change. */
export interface StoredState {
  favorite: boolean
  /** The time of the change, limited to the server's time. */
  changedAtMs: number
  deviceId: string
  /** The time of the change by the device's clock. */
  claimedAtMs: number
}

/** The earliest accepted time. Earlier times come from clocks that were never set, and are replaced by this time. */
const EARLIEST_MS = Date.UTC(2000, 0, 1)
/**
 * The device id of changes that are sent without one. It is the smallest id, so that these changes lose against a device's change of the
 * same time.
 */
const NO_DEVICE = '00000000-0000-0000-0000-000000000000'

/**
 * Merges a change into the stored state; returns undefined if a later change is stored. The last change wins. Changes of one device are ordered
 * by that device's clock; changes of two devices by the limited time, then by the greater device id.
 */
export function mergeChange(change: DeviceChange, knownState: StoredState | undefined, nowMs: number): StoredState | undefined {
  const { favorite, deviceId, atMs: claimedAtMs } = change
  const atMs = Math.max(EARLIEST_MS, Math.min(claimedAtMs, nowMs))
  if (knownState === undefined) return { favorite, changedAtMs: atMs, deviceId, claimedAtMs }
  if (deviceId === knownState.deviceId) {
    // The stored time never decreases, so that later changes of other devices stay later.
    return claimedAtMs < knownState.claimedAtMs
      ? undefined
      : { favorite, changedAtMs: Math.max(atMs, knownState.changedAtMs), deviceId, claimedAtMs }
  }
  const isLater = atMs > knownState.changedAtMs || (atMs === knownState.changedAtMs && deviceId > knownState.deviceId)
  return isLater ? { favorite, changedAtMs: atMs, deviceId, claimedAtMs } : undefined
}

/**
 * Returns the state for a change that is made on the server at `nowMs`. If the stored state has the same or a later time, the new state's time is
 * `nowMs + 1`.
 */
export function createServerState(favorite: boolean, knownState: StoredState | undefined, nowMs: number): StoredState {
  const atMs = knownState !== undefined && knownState.changedAtMs >= nowMs ? nowMs + 1 : nowMs
  return { favorite, changedAtMs: atMs, deviceId: NO_DEVICE, claimedAtMs: atMs }
}
