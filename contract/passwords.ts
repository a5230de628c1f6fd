/** The limits of a new password's length, in UTF-16 units. Passwords that exist stay valid. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 1000
