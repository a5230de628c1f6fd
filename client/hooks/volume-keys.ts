/** The change of the volume by one key press; the volume is 0 to 1. */
const VOLUME_STEP = 0.05

interface Audible {
  getSnapshot(): { volume: number; muted: boolean }
  setVolume(volume: number): void
}

/** Changes the volume of a player by `steps` of `VOLUME_STEP`. A muted player starts at 0. */
export function changeVolume(player: Audible, steps: 1 | -1): void {
  const { volume, muted } = player.getSnapshot()
  player.setVolume((muted ? 0 : volume) + steps * VOLUME_STEP)
}
