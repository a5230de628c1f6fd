import { useDocument } from '../hooks/documents.ts'
import { createWebsiteUrl } from '../hooks/paths.ts'
import { useSite } from '../hooks/services.tsx'
import { Icon } from '../ui/icon.tsx'
import typeStyles from '../ui/type.module.css'
import styles from './locked-panel.module.css'

/** The tools for subscribers. Each is named by the last part of the path of its page. */
export type SubscriberTool = 'website' | 'promotion' | 'maker' | 'make' | 'artwork'

const offersByTool: Record<SubscriberTool, { picture: string; benefits: readonly string[] }> = {
  website: {
    picture: 'A website of a subscriber: banner, name, links and songs',
    benefits: [
      'An address of your own, with your name and picture on top.',
      'Links first, then the songs you choose, the radio and your text.',
      'You see visits and clicks. Nothing about your visitors is stored.',
    ],
  },
  promotion: {
    picture: 'The channel of the day on the home page',
    benefits: [
      'Your channel on our home pages, for a whole day at a time.',
      "With your website's name and picture, and links to both.",
      'Whoever has waited longest is next, and you see your day in advance.',
    ],
  },
  maker: {
    picture: 'The maker with a song: waveform, speed, pitch, reverb and bass',
    benefits: [
      'Speed and pitch like tape, with reverb and bass; what you hear is what you get.',
      'A waveform, a loop, and the BPM of your song.',
      'WAV or MP3, made on your device: nothing is uploaded.',
    ],
  },
  make: {
    picture: 'The form that converts a song on the server',
    benefits: [
      'For phones and old computers: our server does the work.',
      'MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC up to 10 MB.',
      'Your results stay in your history for 7 days.',
    ],
  },
  artwork: {
    picture: 'The form that asks our designers for artwork',
    benefits: [
      'A banner or a profile picture, drawn for your channel.',
      'By designers who listen to what you make.',
      'You say what you like, and see all your requests.',
    ],
  },
}

/**
 * Shows what a subscription includes: a picture of the tool, three lines of text about the tool, the price, and an example of a
 * subscriber's website.
 */
export function SubscriptionOffer({ tool }: { tool: SubscriberTool }) {
  const { brand, main_url, settings } = useSite()
  const premiumPlan = useDocument('plans').data?.find(({ id }) => id === 'premium')
  const { picture, benefits } = offersByTool[tool]
  return (
    <div className={styles.offer}>
      <img
        className={styles.picture}
        src={`/screenshots/${brand}/tool-${tool}.webp`}
        alt={picture}
        width={1200}
        height={750}
        loading="lazy"
        decoding="async"
      />
      <div className={styles.lines}>
        <ul className={styles.points}>
          {benefits.map((benefit) => (
            <li key={benefit}>
              <Icon name="check" size="s" />
              <span>{benefit}</span>
            </li>
          ))}
        </ul>
        {premiumPlan && (
          <p>
            <strong>{premiumPlan.price}</strong> {premiumPlan.period}, and you can end it any time.
          </p>
        )}
        {settings.EXAMPLE_SITE && (
          <a className={typeStyles.link} href={createWebsiteUrl(main_url, settings.EXAMPLE_SITE)} target="_blank" rel="noopener noreferrer">
            See an example of a website
          </a>
        )}
      </div>
    </div>
  )
}
