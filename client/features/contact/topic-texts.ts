import { type FormTopic, formTopics } from '../../../contract/contact-rules.ts'

/** The texts of the form that depend on the topic. */
interface TopicGuide {
  label: string
  /** The explanation of the topic above the form. */
  text: string
  /** The labels of the fields for the YouTube URL and the message. */
  urlHint: string
  messageHint: string
}

export const topicTexts: Record<FormTopic, TopicGuide> = {
  'request-song': {
    label: 'Request a song',
    text: 'Which song is missing? If it fits, we add it to a playlist.',
    urlHint: 'The song, or a version of it that you like.',
    messageHint: 'Title, artist, and whatever helps us find it.',
  },
  'apply-member': {
    label: 'Apply as a member',
    text: 'For channels with 100 subscribers or more. A person looks at every application.',
    urlHint: 'Your channel.',
    messageHint: "What you make, and how long you've been making it.",
  },
  'apply-academy': {
    label: 'Apply for the Academy',
    text: 'For channels with fewer than 100 subscribers: a mentor, feedback on your uploads, and the way into the network.',
    urlHint: 'Your channel.',
    messageHint: 'What you make, and what you would like to learn.',
  },
  'bug-report': {
    label: 'Report a bug',
    text: 'Something on the site is broken? Describe it so that we can see it, too.',
    urlHint: 'The video in question, or your channel.',
    messageHint: 'What you did, what happened, and on which device and browser.',
  },
  advertisement: {
    label: 'Advertisement',
    text: 'A release, an event or a product that our listeners should know about.',
    urlHint: 'A video about it, or your channel.',
    messageHint: 'What it is, when it starts and how long it runs.',
  },
  'business-inquiry': {
    label: 'Business inquiry',
    text: 'Licensing, partnerships and press.',
    urlHint: "Your channel, or your company's.",
    messageHint: 'Who you are, and what you have in mind.',
  },
  other: {
    label: 'Other',
    text: 'Anything else.',
    urlHint: "Your channel, or the video it's about.",
    messageHint: 'What you would like to say.',
  },
}

export const topicOptions = formTopics.map((value) => ({ value, label: topicTexts[value].label }))
