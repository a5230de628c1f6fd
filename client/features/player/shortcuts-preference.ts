import { useSyncExternalStore } from 'react'

const KEY = 'varispeed.shortcuts'
const listeners = new Set<() => void>()
/** For a browser that refuses to store: for as long as the page lives. */
let unstored: boolean | undefined

function read(): boolean {
  if (unstored !== undefined) return unstored
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function setShortcutsOn(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off')
    unstored = undefined
  } catch {
    unstored = on
  }
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a person wants single keys to control the player; remembered on this device, on at first. */
export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, read, () => true)
