import { afterEach, expect, test, vi } from 'vitest'
import { encodeWavHeader } from '../../../dsp/wav.ts'
import { createMemoryStorage } from '../../platform/testing/memory-storage.ts'
import { findLeaks } from '../../testing/leaks.ts'
import { type OpenedSound, SoundUnavailable } from './audio-slot.ts'
import { createEditsPlayer, type EditsPlayer } from './edits-player.ts'
import type { PlayableEdit } from './edits-source.ts'

const SAMPLE_RATE = 8000

/** Returns a quiet tone as a WAV file. */
function createToneFile(durationS: number): Blob {
  const frames = Math.round(durationS * SAMPLE_RATE)
  const samples = Int16Array.from({ length: frames }, (_, frame) => Math.round(300 * Math.sin((2 * Math.PI * 440 * frame) / SAMPLE_RATE)))
  return new Blob([encodeWavHeader({ format: 'int16', channels: 1, sampleRate: SAMPLE_RATE, frames }), samples], { type: 'audio/wav' })
}

const createEdit = (editId: string, pictureUrl?: string): PlayableEdit => ({
  id: editId,
  title: `Title ${editId}`,
  artist: editId === 'a' ? 'Someone' : undefined,
  lengthS: 2,
  changedAtMs: 0,
  pictureUrl,
})
const EDITS = ['a', 'b', 'c'].map((id) => createEdit(id))

const closeFunctions: (() => void)[] = []
afterEach(() => {
  for (const close of closeFunctions.splice(0)) close()
  vi.restoreAllMocks()
})

interface EditsPlayerSetUp {
  seconds?: number
  crossfadeSeconds?: number
  open?: (id: string, signal: AbortSignal) => Promise<Blob>
}

/** Creates a player of edits whose sounds are tones. */
function setUp({ seconds = 2, crossfadeSeconds = 0, open = async () => createToneFile(seconds) }: EditsPlayerSetUp = {}) {
  const playSpy = vi.spyOn(HTMLMediaElement.prototype, 'play')
  const openedIds: string[] = []
  const releasedIds: string[] = []
  const editsPlayer: EditsPlayer = createEditsPlayer({
    async openSound(editId, signal): Promise<OpenedSound> {
      openedIds.push(editId)
      return { blob: await open(editId, signal), release: () => releasedIds.push(editId) }
    },
    crossfadeSeconds: () => crossfadeSeconds,
    storage: createMemoryStorage(),
    channel: undefined,
  })
  closeFunctions.push(editsPlayer.player.close)
  const { player } = editsPlayer
  /** The elements with sounds of edits. The silent loop of the media session is excluded by its URL. */
  const listElements = () =>
    [...new Set(playSpy.mock.contexts)].filter((each): each is HTMLAudioElement => each instanceof HTMLAudioElement && !each.loop)
  const expectPlaying = (id: string) =>
    vi.waitFor(() => expect([player.getSnapshot().status, player.getSnapshot().current?.youtube_id]).toEqual(['playing', id]), 10_000)
  return { ...editsPlayer, opened: openedIds, released: releasedIds, elements: listElements, expectPlaying }
}

test('edits player: edits follow each other in the order of the list, and the first follows the last; no request is sent to the server', async () => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch')
  const { player, play, expectPlaying, opened } = setUp({ seconds: 0.7 })
  play(EDITS, 'b')
  await expectPlaying('b')
  expect(player.getSnapshot()).toMatchObject({
    contextTitle: 'My edits',
    current: { title: 'Title b', author_name: '', artwork: [] },
    upcoming: [{ song: { youtube_id: 'c' } }],
    hasFrame: false,
  })
  await expectPlaying('c')
  await expectPlaying('a')
  expect(player.getSnapshot().current?.author_name).toBe('Someone')
  player.previous()
  await expectPlaying('c')
  expect(new Set(opened)).toEqual(new Set(['a', 'b', 'c']))
  expect(fetchSpy).not.toHaveBeenCalled()
})

test('edits player: the system shows title, artist and picture of an edit', async () => {
  const pictureUrl = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
  const { play, expectPlaying } = setUp()
  play([createEdit('a', pictureUrl)], 'a')
  await expectPlaying('a')
  await vi.waitFor(() => expect(navigator.mediaSession.metadata?.title).toBe('Title a'))
  const { metadata } = navigator.mediaSession
  expect([metadata?.title, metadata?.artist, metadata?.album]).toEqual(['Title a', 'Someone', 'My edits'])
  expect(metadata?.artwork.map(({ src }) => src)).toEqual([pictureUrl])
})

test('edits player: with a crossfade, the next edit starts before the end, and both sound with constant power', {
  tags: ['long'],
}, async () => {
  const { player, play, expectPlaying, elements } = setUp({ seconds: 3, crossfadeSeconds: 1 })
  player.setVolume(0.8)
  play(EDITS, 'a')
  await expectPlaying('a')
  const signalPowers: number[] = []
  await vi.waitFor(
    () => {
      const sounding = elements().filter((element) => !element.paused && element.currentTime > 0)
      if (sounding.length === 2) signalPowers.push(sounding.reduce((sum, { volume }) => sum + volume ** 2, 0))
      expect(signalPowers.length).toBeGreaterThan(4)
    },
    { timeout: 10_000, interval: 20 },
  )
  for (const power of signalPowers) expect(power).toBeCloseTo(0.64, 1)
  await expectPlaying('b')
  await vi.waitFor(() => expect(elements().filter(({ paused }) => !paused)).toMatchObject([{ volume: 0.8 }]), 5000)
  player.pause()
  await vi.waitFor(() => expect(elements().every(({ paused }) => paused)).toBe(true))
})

test('edits player: loop repeats an edit without a crossfade, and the sleep timer stops at its end', { tags: ['long'] }, async () => {
  const { player, play, expectPlaying, elements } = setUp({ seconds: 1, crossfadeSeconds: 0.4 })
  player.setLoop(true)
  play(EDITS, 'a')
  await expectPlaying('a')
  const audioElement = elements()[0]
  await new Promise((resolve) => audioElement?.addEventListener('seeked', resolve, { once: true }))
  await expectPlaying('a')
  expect(elements()).toHaveLength(1)
  player.setSleep('end-of-song')
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'paused', sleep: { kind: 'off' } }), 5000)
})

test('edits player: an edit that cannot be opened is skipped, also without a network', { tags: ['long'] }, async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { player, play, expectPlaying } = setUp({
    async open(editId) {
      if (editId === 'a') throw new SoundUnavailable('no-room')
      return editId === 'b' ? new Blob(['no sound']) : createToneFile(2)
    },
  })
  play(EDITS, 'a')
  await vi.waitFor(() => expect(player.getSnapshot().error).toEqual({ kind: 'unplayable', code: 2, skipped: true }))
  await vi.waitFor(() => expect(player.getSnapshot().error).toEqual({ kind: 'unplayable', code: 3, skipped: true }), 6000)
  await expectPlaying('c')
})

test('edits player: an edit that is paused while its sound is rendered does not start; the rendering of a skipped edit is cancelled', async () => {
  const finishById = new Map<string, () => void>()
  const signalById = new Map<string, AbortSignal>()
  const { player, play, expectPlaying, elements, released } = setUp({
    open: (editId, signal) =>
      new Promise((resolve) => {
        signalById.set(editId, signal)
        finishById.set(editId, () => resolve(createToneFile(2)))
      }),
  })
  play(EDITS, 'a')
  await vi.waitFor(() => expect(finishById.has('a')).toBe(true))
  expect(player.getSnapshot().status).toBe('loading')
  player.pause()
  finishById.get('a')?.()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(player.getSnapshot().status).toBe('paused')
  expect(elements()).toEqual([])
  player.play()
  await expectPlaying('a')
  player.next()
  await vi.waitFor(() => expect(finishById.has('b')).toBe(true))
  expect(released).toEqual(['a'])
  player.next()
  await vi.waitFor(() => expect(finishById.has('c')).toBe(true))
  expect(signalById.get('b')?.aborted).toBe(true)
  finishById.get('b')?.()
  finishById.get('c')?.()
  await expectPlaying('c')
  expect(released).toEqual(['a', 'b'])
})

/** Creates a player of edits whose sounds last 30 s, or 20 s after a change, so that none ends while a busy machine runs a test. */
function setUpChangingEdits() {
  let soundSeconds = 30
  const playerSetUp = setUp({ open: async () => createToneFile(soundSeconds) })
  return {
    ...playerSetUp,
    changeSounds() {
      soundSeconds = 20
      return EDITS.map((edit) => ({ ...edit, changedAtMs: edit.changedAtMs + 1 }))
    },
    expectPlayingFor: (id: string, seconds: number) =>
      vi.waitFor(() => {
        const { status, current } = playerSetUp.player.getSnapshot()
        const { durationSeconds } = playerSetUp.player.position()
        expect([status, current?.youtube_id, Math.round(durationSeconds)]).toEqual(['playing', id, seconds])
      }),
  }
}

test('edits player: a paused edit goes on where it was, but plays anew and as it is now if it was changed', async () => {
  const { player, play, noteChanges, changeSounds, expectPlayingFor } = setUpChangingEdits()
  play(EDITS, 'a')
  await expectPlayingFor('a', 30)
  player.seek(15)
  player.toggle()
  player.toggle()
  await expectPlayingFor('a', 30)
  expect(player.position().positionSeconds).toBeGreaterThanOrEqual(15)
  player.toggle()
  noteChanges(changeSounds())
  player.toggle()
  await expectPlayingFor('a', 20)
  expect(player.position().positionSeconds).toBeLessThan(15)
})

test('edits player: an edit that plays goes on if it is played again, but plays anew and as it is now if it was changed', async () => {
  const { player, play, changeSounds, expectPlayingFor } = setUpChangingEdits()
  play(EDITS, 'a')
  await expectPlayingFor('a', 30)
  player.seek(15)
  play(EDITS, 'a')
  expect(player.getSnapshot().status).toBe('playing')
  expect(player.position().positionSeconds).toBeGreaterThanOrEqual(15)
  play(changeSounds(), 'a')
  await expectPlayingFor('a', 20)
  expect(player.position().positionSeconds).toBeLessThan(15)
})

test('edits player: an edit that was changed after it was prepared plays as it is now when its turn comes', async () => {
  const { player, play, noteChanges, changeSounds, expectPlayingFor, opened } = setUpChangingEdits()
  play(EDITS, 'a')
  await expectPlayingFor('a', 30)
  await vi.waitFor(() => expect(opened).toContain('b'))
  noteChanges(changeSounds())
  player.next()
  await expectPlayingFor('b', 20)
})

test('edits player: closing the player releases all sounds, listeners and timers', async () => {
  const leaks = await findLeaks(async () => {
    const { player, play, expectPlaying, opened, released } = setUp({ seconds: 1.5, crossfadeSeconds: 0.7 })
    play(EDITS, 'a')
    await expectPlaying('b')
    player.close()
    expect(released.toSorted()).toEqual(opened.toSorted())
  })
  expect(leaks).toEqual([])
})
