import { useSyncExternalStore } from 'react'
import { localStore } from '../platform/web-storage.ts'
import { createEmitter } from '../primitives/emitter.ts'

const STORAGE_KEY = 'varispeed.shortcuts'
const settingChanges = createEmitter()
/** The setting of this page if the browser denies access to localStorage. It lasts until the page is closed. */
let unstoredSetting: boolean | undefined

const readShortcutsEnabled = (): boolean => unstoredSetting ?? localStore.read(STORAGE_KEY) !== 'off'

export function setShortcutsEnabled(areEnabled: boolean): void {
  unstoredSetting = localStore.write(STORAGE_KEY, areEnabled ? 'on' : 'off') ? undefined : areEnabled
  settingChanges.emit()
}

/** Returns whether single keys control the player. The setting is stored on this device; true by default. */
export const useAreShortcutsEnabled = (): boolean => useSyncExternalStore(settingChanges.subscribe, readShortcutsEnabled, () => true)

/** The change of the volume by one key press; the volume is 0 to 1. */
const VOLUME_STEP = 0.05

interface AdjustableVolume {
  getSnapshot(): { volume: number; muted: boolean }
  setVolume(volume: number): void
}

/** Changes the volume of a player by `stepCount` of `VOLUME_STEP`. A muted player starts at 0. */
export function changeVolume(player: AdjustableVolume, stepCount: 1 | -1): void {
  const { volume, muted } = player.getSnapshot()
  player.setVolume((muted ? 0 : volume) + stepCount * VOLUME_STEP)
}
