import type { Scope } from '../primitives/scope.ts'
import type { Playback } from './playback.ts'
import type { PlayerModel } from './player-model.ts'
import { type SleepSetting, stepOnSkip, stepOnSongEnd } from './queue.ts'
import { createSleepTimer } from './sleep-timer.ts'
import type { SongLoader } from './song-loader.ts'
import type { SongSource } from './song-source.ts'

const SKIP_UNPLAYABLE_AFTER_MS = 3000
const MAX_CONSECUTIVE_SKIPS = 5

interface EndingRulesDeps {
  model: PlayerModel
  playback: Playback
  loader: SongLoader
  source: SongSource
  scope: Scope
  pause: () => void
  nowMs: () => number
}

/** Decides what the player does after a song that ended or cannot be played: repeat the song, play the next song, or stop. */
export function createEndingRules({ model, playback, loader, source, scope, pause, nowMs }: EndingRulesDeps) {
  let skipCount = 0
  let cancelSkip = () => {}
  const turnSleepTimerOff = () => model.dispatch({ type: 'sleep', sleep: { kind: 'off' } })
  const sleepTimer = createSleepTimer(scope, nowMs, () => {
    pause()
    turnSleepTimerOff()
  })

  return {
    onEnded() {
      const queueStep = stepOnSongEnd(model.queue)
      if (queueStep.kind === 'replay') return playback.replay()
      if (queueStep.kind !== 'sleep') return loader.advance(queueStep)
      playback.setStatus('paused')
      turnSleepTimerOff()
    },
    /**
     * Reports that a video cannot be played. After three seconds the next song is opened, unless too many videos in a row could not be
     * played.
     */
    onUnplayable(errorCode: number) {
      if (model.songId !== undefined) source.reportUnplayable(model.songId, errorCode)
      const isSongSkipped = stepOnSkip(model.queue).kind !== 'none' && skipCount < MAX_CONSECUTIVE_SKIPS
      playback.setStatus('unplayable', { kind: 'unplayable', code: errorCode, skipped: isSongSkipped })
      if (!isSongSkipped) return
      cancelSkip = scope.timeout(() => {
        skipCount += 1
        loader.advance(stepOnSkip(model.queue))
      }, SKIP_UNPLAYABLE_AFTER_MS)
    },
    cancelSkip: () => cancelSkip(),
    resetSkipCount() {
      skipCount = 0
    },
    setSleep(request: { minutes: number } | 'end-of-song' | 'off') {
      const sleepSetting: SleepSetting =
        typeof request === 'string' ? { kind: request } : { kind: 'at', minutes: request.minutes, atMs: nowMs() + request.minutes * 60_000 }
      model.dispatch({ type: 'sleep', sleep: sleepSetting })
      sleepTimer.set(sleepSetting)
    },
    /** Stops playback if the sleep timer's time has passed. This check is needed because browsers delay the timers of hidden pages. */
    checkSleep: sleepTimer.check,
  }
}

export type EndingRules = ReturnType<typeof createEndingRules>
