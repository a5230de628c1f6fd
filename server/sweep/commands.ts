import { CommandError, defineCommand } from '../admin/command.ts'
import { formatCounts } from '../admin/youtube/import-run.ts'
import { createSweepApi, sweepVideos } from './sweep.ts'

export const catalogSweepCommand = defineCommand({
  words: 'catalog sweep',
  summary: 'Asks YouTube which songs can be played, as the server does every night. YOUTUBE_API_KEY is needed.',
  details: 'A song is asked for again after 20 days. A further sweep goes on where this one has stopped.',
  run: async (_args, { storage, config }) => {
    const sweepSummary = await sweepVideos({ sweep: storage.sweep, api: createSweepApi(config.youtube, Date.now), nowMs: Date.now })
    if (sweepSummary === undefined) throw new CommandError('Another sweep runs, or was interrupted within the last 20 minutes')
    const obstaclesText = Object.keys(sweepSummary.obstacles).length === 0 ? '' : ` Not playable: ${formatCounts(sweepSummary.obstacles)}.`
    const stoppedText = sweepSummary.stopped === null ? '' : ` Stopped early: ${sweepSummary.stopped}.`
    return {
      text: `${sweepSummary.checked} songs are checked.${obstaclesText}${stoppedText}`,
      data: sweepSummary,
      failed: sweepSummary.stopped !== null,
    }
  },
})
