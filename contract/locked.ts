/** What others than subscribers are told where something is for subscribers, by the API and by pages. */
export const CONTENT_LOCKED =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'
