import { useSyncExternalStore } from 'react'
import type { MakerSettings } from '../engine/engine.ts'

/** Settings by a name that a person gave them. */
export interface OwnPreset {
  readonly name: string
  readonly settings: MakerSettings
}

export interface OwnPresets {
  presets: readonly OwnPreset[]
  /** In place of one of the same name. */
  save(preset: OwnPreset): void
  remove(name: string): void
}

const KEY = 'varispeed.presets'
const MOST = 50
const none: readonly OwnPreset[] = []
const listeners = new Set<() => void>()

let kept: { text: string | null; presets: readonly OwnPreset[] } = { text: null, presets: none }
/** For a browser that refuses to store: for as long as the page lives. */
let unstored: readonly OwnPreset[] | undefined

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)

function isPreset(value: unknown): value is OwnPreset {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('settings' in value)) return false
  const { name, settings } = value
  if (typeof name !== 'string' || typeof settings !== 'object' || settings === null) return false
  return (['speed', 'pitch', 'reverbSize', 'reverbAmount', 'bassDb'] as const).every((key) => isNumber(Reflect.get(settings, key)))
}

function parse(text: string | null): readonly OwnPreset[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter(isPreset) : none
  } catch {
    return none
  }
}

function read(): readonly OwnPreset[] {
  if (unstored) return unstored
  try {
    const text = localStorage.getItem(KEY)
    if (text !== kept.text) kept = { text, presets: parse(text) }
    return kept.presets
  } catch {
    return none
  }
}

function write(presets: readonly OwnPreset[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(presets))
    unstored = undefined
  } catch {
    unstored = presets
  }
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab's.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** A person's own presets, remembered on this device. */
export function useOwnPresets(): OwnPresets {
  const presets = useSyncExternalStore(subscribe, read, () => none)
  return {
    presets,
    save: (preset) => write([...read().filter(({ name }) => name !== preset.name), preset].slice(-MOST)),
    remove: (name) => write(read().filter((each) => each.name !== name)),
  }
}
