import { defineCommand } from '../admin/command.ts'
import { formatCounts } from '../admin/youtube/import-run.ts'
import { createYoutubeApi } from '../admin/youtube/youtube-api.ts'
import { sweepVideos } from './sweep.ts'

export const catalogSweepCommand = defineCommand({
  words: 'catalog sweep',
  summary: 'Asks YouTube which songs can be played, as the server does every night. YOUTUBE_API_KEY is needed.',
  details: 'A song is asked for again after 20 days. A further sweep goes on where this one has stopped.',
  run: async (_args, { storage, config }) => {
    const sweepSummary = await sweepVideos({ sweep: storage.sweep, api: createYoutubeApi(config.youtube), nowMs: Date.now })
    const obstaclesText = Object.keys(sweepSummary.obstacles).length === 0 ? '' : ` Not playable: ${formatCounts(sweepSummary.obstacles)}.`
    const stoppedText = sweepSummary.stopped === null ? '' : ` Stopped early: ${sweepSummary.stopped}.`
    return {
      text: `${sweepSummary.checked} songs are checked.${obstaclesText}${stoppedText}`,
      data: sweepSummary,
      failed: sweepSummary.stopped !== null,
    }
  },
})
