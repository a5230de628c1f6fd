import { useSyncExternalStore } from 'react'
import type { MakerSettings } from '../../engine/engine.ts'
import { localStore } from '../../platform/web-storage.ts'
import { listen } from '../../primitives/scope.ts'

/** Maker settings that a person has saved under a name. */
export interface OwnPreset {
  readonly name: string
  readonly settings: MakerSettings
}

const STORAGE_KEY = 'varispeed.presets'
/** The most presets that are saved. */
export const MAX_PRESETS = 50
const NO_PRESETS: readonly OwnPreset[] = []
const listeners = new Set<() => void>()

let cachedPresets: { text: string | null; presets: readonly OwnPreset[] } = { text: null, presets: NO_PRESETS }
/** The presets of this page if localStorage refuses writes. They are lost when the page is closed. */
let inMemoryPresets: readonly OwnPreset[] | undefined

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)

function isPreset(value: unknown): value is OwnPreset {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('settings' in value)) return false
  const { name, settings } = value
  if (typeof name !== 'string' || typeof settings !== 'object' || settings === null) return false
  return (['speed', 'pitch', 'reverbSize', 'reverbAmount', 'bassDb'] as const).every((key) => isNumber(Reflect.get(settings, key)))
}

function readPresets(): readonly OwnPreset[] {
  if (inMemoryPresets) return inMemoryPresets
  const text = localStore.read(STORAGE_KEY)
  if (text !== cachedPresets.text) {
    const stored = localStore.readJson(STORAGE_KEY)
    cachedPresets = { text, presets: Array.isArray(stored) ? stored.filter(isPreset) : NO_PRESETS }
  }
  return cachedPresets.presets
}

function writePresets(presets: readonly OwnPreset[]): void {
  inMemoryPresets = localStore.write(STORAGE_KEY, JSON.stringify(presets)) ? undefined : presets
  for (const listener of [...listeners]) listener()
}

function subscribeToPresets(listener: () => void): () => void {
  listeners.add(listener)
  // `storage` events report writes of other tabs.
  const stopListening = listen(window, 'storage', listener)
  return () => {
    listeners.delete(listener)
    stopListening()
  }
}

/** Returns the saved presets, which are stored in localStorage. */
export function useOwnPresets() {
  const presets = useSyncExternalStore(subscribeToPresets, readPresets, () => NO_PRESETS)
  return {
    presets,
    /** Saves a preset and replaces a preset of the same name. */
    save: (preset: OwnPreset) => writePresets([...readPresets().filter(({ name }) => name !== preset.name), preset].slice(-MAX_PRESETS)),
    /** Adds presets whose names are not taken. */
    add: (presets: readonly OwnPreset[]) => writePresets([...readPresets(), ...presets].slice(-MAX_PRESETS)),
    remove: (name: string) => writePresets(readPresets().filter((each) => each.name !== name)),
  }
}
