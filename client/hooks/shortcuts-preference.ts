import { useSyncExternalStore } from 'react'
import { localStore } from '../platform/web-storage.ts'
import { createEmitter } from '../primitives/emitter.ts'

const STORAGE_KEY = 'varispeed.shortcuts'
const settingChanges = createEmitter()
/** The setting of this page if the browser denies access to localStorage. */
let unstoredSetting: boolean | undefined

const readSetting = (): boolean => unstoredSetting ?? localStore.read(STORAGE_KEY) !== 'off'

export function setShortcutsOn(on: boolean): void {
  unstoredSetting = localStore.write(STORAGE_KEY, on ? 'on' : 'off') ? undefined : on
  settingChanges.emit()
}

/** Returns whether single keys control the player. The setting is stored on this device; true by default. */
export const useShortcutsOn = (): boolean => useSyncExternalStore(settingChanges.subscribe, readSetting, () => true)
