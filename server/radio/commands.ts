import { brands } from '../../brands/registry.ts'
import { stations } from '../../contract/radio.ts'
import { brandOption, defineCommand, readBrandOption, toPrintable, UsageError } from '../admin/command.ts'
import { createRadio, isStationName } from './radio.ts'

export const radioSkipCommand = defineCommand({
  words: 'radio skip',
  summary: 'Ends the song that a station of the radio plays, of one brand or of all.',
  options: { station: { value: 'S', help: `${stations.join(' or ')}; without it, main` }, brand: brandOption },
  run: async ({ station = 'main', brand: brandId }, { storage }) => {
    if (!isStationName(station))
      throw new UsageError(`There is no station '${toPrintable(station)}'; the stations are ${stations.join(', ')}`)
    const brand = readBrandOption(brandId)
    const radio = createRadio({ ...storage, nowMs: Date.now })
    const skippedSongs = []
    for (const each of brand === undefined ? brands : [brand]) {
      const onAir = await radio.skip(each, station)
      skippedSongs.push({ brand: each.id, station, youtube_id: onAir?.youtube_id, title: onAir?.title })
    }
    const songLines = skippedSongs.map(({ brand: id, title }) =>
      title === undefined ? `${id}: the station has no songs.` : `${id} plays ${toPrintable(title)}.`,
    )
    return { text: songLines.join('\n'), data: skippedSongs, changed: `station ${station}` }
  },
})
