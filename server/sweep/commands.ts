import { defineCommand } from '../admin/command.ts'
import { formatCounts } from '../admin/youtube/import-run.ts'
import { createYoutubeApi } from '../admin/youtube/youtube-api.ts'
import { sweepVideos } from './sweep.ts'

export const catalogSweepCommand = defineCommand({
  words: 'catalog sweep',
  summary: 'Asks YouTube which songs can be played, as the server does every night. YOUTUBE_API_KEY is needed.',
  details: 'A song is asked for again after 20 days. A further sweep goes on where this one has stopped.',
  run: async (_args, { storage, config }) => {
    const summary = await sweepVideos({ sweep: storage.sweep, api: createYoutubeApi(config.youtube), nowMs: Date.now })
    const obstacles = Object.keys(summary.obstacles).length === 0 ? '' : ` Not playable: ${formatCounts(summary.obstacles)}.`
    const stopped = summary.stopped === null ? '' : ` Stopped early: ${summary.stopped}.`
    return { text: `${summary.checked} songs are checked.${obstacles}${stopped}`, data: summary, failed: summary.stopped !== null }
  },
})
