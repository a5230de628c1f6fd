/** The message of the API and of pages about content that requires the role `subscriber`. */
export const CONTENT_LOCKED_MESSAGE =
  'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.'
