/** A tap, as a device tells of it. Times are epoch milliseconds. */
export interface Tap {
  favorite: boolean
  /** What the device's clock said. */
  atMs: number
  deviceId: string
}

/** How a song stands: the tap that counts. */
export interface Standing {
  favorite: boolean
  /** The time of the tap as far as it is believed: never to come. */
  changedAtMs: number
  deviceId: string
  /** What the device's clock said. */
  claimedAtMs: number
}

/** No tap is older: a clock that says so was never set. */
const EARLIEST_MS = Date.UTC(2000, 0, 1)
/** What calls that name no device are told of by; of all ids the smallest. */
const NO_DEVICE = '00000000-0000-0000-0000-000000000000'

/**
 * How a song stands after a tap; `undefined` where the tap was overtaken. The last tap wins. Of one device its own clock says which one that
 * is, even while it is wrong; between devices the time as far as it is believed, then the greater id.
 */
export function standingAfter(tap: Tap, known: Standing | undefined, nowMs: number): Standing | undefined {
  const { favorite, deviceId, atMs: claimedAtMs } = tap
  const atMs = Math.max(EARLIEST_MS, Math.min(claimedAtMs, nowMs))
  if (known === undefined) return { favorite, changedAtMs: atMs, deviceId, claimedAtMs }
  if (deviceId === known.deviceId) {
    // Its time goes back neither: what other devices know came after is still after.
    return claimedAtMs < known.claimedAtMs ? undefined : { favorite, changedAtMs: Math.max(atMs, known.changedAtMs), deviceId, claimedAtMs }
  }
  const isLater = atMs > known.changedAtMs || (atMs === known.changedAtMs && deviceId > known.deviceId)
  return isLater ? { favorite, changedAtMs: atMs, deviceId, claimedAtMs } : undefined
}

/** How a song stands once it is set now, whatever is known of it. Calls within a millisecond do not add up to a time to come. */
export function standingSet(favorite: boolean, known: Standing | undefined, nowMs: number): Standing {
  const atMs = known !== undefined && known.changedAtMs >= nowMs ? nowMs + 1 : nowMs
  return { favorite, changedAtMs: atMs, deviceId: NO_DEVICE, claimedAtMs: atMs }
}
