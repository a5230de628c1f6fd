import type { Settings } from '../../contract/site.ts'

/** The brand's default settings, which the admin command `settings set` changes per deployment. Replace the URLs on example domains. */
export const settings: Settings = {
  NAME: 'Nightcore Meridian',
  DOMAIN: 'nightcoremeridian.example',
  LOGO: '',
  HERO_TITLE: 'Turn the night up',
  HERO_SUBTITLE: 'Nightcore at 140 to 160 BPM, chosen by people who make it. Hit play, keep it looping, or speed up a song of your own.',
  HERO_LINK: '/what-is-nightcore',
  META_TITLE: 'Nightcore Meridian: nightcore playlists, radio and maker',
  META_DESCRIPTION:
    'Nightcore and sped-up playlists picked by a network of creators, a radio that never stops, and a maker that speeds up your own songs in the browser.',
  SOCIAL_DISCORD: 'https://discord.example.com/nightcore-meridian',
  SOCIAL_INSTAGRAM: 'https://instagram.example.com/nightcoremeridian',
  SOCIAL_X: 'https://x.example.com/nightcoremeridian',
  SOCIAL_TIKTOK: 'https://tiktok.example.com/@nightcoremeridian',
  DONATE_LINKS: [{ label: 'Donate', url: 'https://donate.example.com/nightcore-meridian' }],
  FOOTER_LINKS: [
    { label: 'What is nightcore?', url: '/what-is-nightcore' },
    { label: 'About us', url: '/about-us' },
    { label: 'Latest news', url: '/latest' },
  ],
  // This is a placeholder for the id of a Discord server. An empty string hides the Discord widget.
  DISCORD_WIDGET_ID: '123456789012345678',
  INTRO_VIDEO: 'bM7SZ5SBzyY',
  PASSION_TEXT:
    'We started with one channel, one folder of favourite songs and a slider pushed to the right. What came back was brighter, quicker and a good deal happier than what went in, so we kept going. Today a whole network of creators feeds these playlists. Every song here was picked by a person who played it twice before adding it.',
  COMMUNITY_TEXT:
    'Swap finds, share your first edit and get ears on it the same evening. Our Discord is where the playlists get argued over, where new creators meet the ones they learned from, and where somebody is always awake.',
  WHAT_IS_PATH: '/what-is-nightcore',
  WHAT_IS_TITLE: 'What is nightcore?',
  DESIGNER: 'true',
  ARTWORK: 'true',
  MAKER_SPEED: 1.25,
  DEFAULT_PITCH: 0,
  NEW_DAYS: 14,
  DONATOR_DAYS: 30,
  LEAD_PLAYLISTS: ['nightcore', 'sped-up'],
  RADIO_MAIN: 'category:nightcore,category:sped-up',
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
