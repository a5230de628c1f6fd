import type { Settings } from '../../contract/site.ts'

/** The brand's default settings, which the admin command `settings set` changes per deployment. Replace the URLs on example domains. */
export const settings: Settings = {
  NAME: 'Slowed Reverb Meridian',
  DOMAIN: 'slowedreverbmeridian.example',
  LOGO: '',
  HERO_TITLE: 'Stay a little longer',
  HERO_SUBTITLE: 'Songs you know, slowed down and given a very large room. Put one on, let it drift, or take your time and make your own.',
  HERO_LINK: '/what-is-slowed-and-reverb',
  META_TITLE: 'Slowed Reverb Meridian: slowed and reverb playlists and radio',
  META_DESCRIPTION:
    'Slowed and reverb playlists for late evenings, gathered by a network of creators, with a gentle radio and a maker that slows your own songs in the browser.',
  SOCIAL_DISCORD: 'https://discord.example.com/slowed-reverb-meridian',
  SOCIAL_INSTAGRAM: 'https://instagram.example.com/slowedreverbmeridian',
  SOCIAL_X: '',
  SOCIAL_TIKTOK: 'https://tiktok.example.com/@slowedreverbmeridian',
  DONATE_LINKS: [{ label: 'Buy us a coffee', url: 'https://donate.example.com/slowed-reverb-meridian' }],
  FOOTER_LINKS: [
    { label: 'What is slowed and reverb?', url: '/what-is-slowed-and-reverb' },
    { label: 'About us', url: '/about-us' },
    { label: 'Latest news', url: '/latest' },
  ],
  // This is a placeholder for the id of a Discord server. An empty string hides the Discord widget.
  DISCORD_WIDGET_ID: '123456789012345678',
  INTRO_VIDEO: '',
  PASSION_TEXT:
    'Some songs are over before you have properly arrived. We slow them down until you can hear the breath before the line, the hand moving on the strings, the room behind the drums. It began as something to fall asleep to and became a place where a good many people spend their evenings. We choose every song by hand, usually late, always with the lights low, and we only keep the ones we would happily hear twice.',
  COMMUNITY_TEXT:
    'Pull up a chair. On our Discord people share the song they cannot stop returning to, ask how long a reverb tail ought to be, and keep each other company when it is late. Nobody is in a hurry, and nobody minds if you only listen.',
  WHAT_IS_PATH: '/what-is-slowed-and-reverb',
  WHAT_IS_TITLE: 'What is slowed and reverb?',
  DESIGNER: 'false',
  ARTWORK: 'true',
  MAKER_SPEED: 0.85,
  DEFAULT_PITCH: 0,
  NEW_DAYS: 14,
  DONATOR_DAYS: 30,
  LEAD_PLAYLISTS: ['slowed-reverb'],
  RADIO_MAIN: 'category:slowed-reverb',
  RADIO_NEWCOMERS: 'academy',
  EXAMPLE_SITE: '',
  SHOW_LISTENERS: 'false',
  CUSTOMER_PORTAL: '',
  CHECKOUT_PREMIUM: '',
  CHECKOUT_PREMIUM_PLUS: '',
  CHECKOUT_DONATE: '',
  PRICE_PREMIUM: '',
  PRICE_PREMIUM_PLUS: '',
}
