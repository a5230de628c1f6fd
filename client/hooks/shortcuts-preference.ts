import { useSyncExternalStore } from 'react'
import { createEmitter } from '../primitives/emitter.ts'

const STORAGE_KEY = 'varispeed.shortcuts'
const settingChanges = createEmitter()
/** The setting of this page if the browser denies access to localStorage. */
let unstoredSetting: boolean | undefined

function readSetting(): boolean {
  if (unstoredSetting !== undefined) return unstoredSetting
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

export function setShortcutsOn(on: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off')
    unstoredSetting = undefined
  } catch {
    unstoredSetting = on
  }
  settingChanges.emit()
}

/** Returns whether single keys control the player. The setting is stored on this device; true by default. */
export const useShortcutsOn = (): boolean => useSyncExternalStore(settingChanges.subscribe, readSetting, () => true)
