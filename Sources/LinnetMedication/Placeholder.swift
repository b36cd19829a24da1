// The demonstration domain: medications, schedules, doses.
